"""A client of few lines for the demo server: no code of ragjudge's own client, so that both can't share a mistake."""

import http.client
import json
from dataclasses import dataclass


@dataclass
class Heard:
    status: int
    headers: dict
    text: str

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def events(self):
        return [json.loads(line[6:]) for line in self.text.split("\n") if line.startswith("data: ")]

    def event(self, name):
        return next(event for event in self.events if event["event"] == name)

    @property
    def answer(self):
        return "".join(e["answer"] for e in self.events if e["event"] in ("message", "agent_message"))


def send(server, method, path, body=None, *, key=None, headers=None):
    port = int(server.base_url.split(":")[2].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    usual = {"Authorization": f"Bearer {key or server.api_key}", "Content-Type": "application/json"}
    payload = body if isinstance(body, str | bytes | None) else json.dumps(body)
    connection.request(method, path, payload, usual if headers is None else headers)
    reply = connection.getresponse()
    heard = Heard(reply.status, dict(reply.getheaders()), reply.read().decode())
    connection.close()
    return heard


def ask(server, query, *, entity="本社", mode="streaming", user="tester", **more):
    body = {"inputs": {"Entity": entity}, "query": query, "response_mode": mode, "user": user, **more}
    return send(server, "POST", "/v1/chat-messages", body)
