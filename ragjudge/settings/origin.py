"""Where a value came from, so that a message can point there and `validate -v` can show it."""

from dataclasses import dataclass
from enum import StrEnum

from ragjudge.errors import Place
from ragjudge.language import Text


class Layer(StrEnum):
    """From the strongest to the weakest."""

    FLAG = "flag"
    INPUT = "input"
    ENVIRONMENT = "environment"
    CONFIG = "config"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """`name` is the flag, input or variable, or the path of the file with `line`."""

    layer: Layer
    name: str = ""
    line: int | None = None

    @property
    def place(self) -> Place | None:
        if self.layer is Layer.DEFAULT:
            return None
        return Place(self.name, line=self.line)

    @property
    def text(self) -> Text:
        match self.layer:
            case Layer.FLAG:
                return Text(f"flag {self.name}", f"オプション {self.name}")
            case Layer.INPUT:
                return Text(f"action input {self.name}", f"アクションの入力 {self.name}")
            case Layer.ENVIRONMENT:
                return Text(f"environment {self.name}", f"環境変数 {self.name}")
            case Layer.CONFIG:
                return Text(f"{self.place}", f"{self.place}")
            case Layer.DEFAULT:
                return Text("default", "既定値")


DEFAULT = Origin(Layer.DEFAULT)
