"""Texts that try to act: for every test that outside text passes through. All our own, none aimed at anybody real.

`STRINGS` has each attack alone, glued to Japanese, behind a line end, and where a cut at 100 characters would part it.
"""

MARKDOWN = (
    "| a | b |", "|", "||", "a|b|c", "\\|", "\\\\|", "`|`", "``|``", "|---|", "|:--|--:|", "x | y\n|---|---|\n| 1 | 2 |",
    "# heading", "###### h6", "heading\n===", "heading\n---", "---", "***", "___", "* * *", "- item", "+ item", "* item",
    "1. one", "99999) many", "- [ ] todo", "- [x] done", "> quote", "> [!CAUTION]\n> fire", "    indented code",
    "\tindented code", "```", "```sh\nrm -rf /\n```", "~~~", "~~~python", "`code`", "``", "`", "*emphasis*", "**strong**",
    "***both***", "_emphasis_", "__strong__", "~~gone~~", "~gone~", "a**b**c", "。**強調**。", "\\", "\\\\", "\\*", "\\`",
    "[link](https://evil.example/)", "[link][ref]", "[ref]: https://evil.example/ 'title'", "[^1]", "[^1]: note",
    "![image](https://evil.example/pixel.png)", "![image][ref]", "[![x](https://evil.example/a.png)](https://evil.example)",
    "<https://evil.example/>", "<user@evil.example>", "[x](javascript:alert(1))", "[x](<a b>)", "[](https://evil.example)",
    "$x^2$", "$$\\sum$$", "$`x`$", "costs $5 and $6", "```math\nx\n```", "```mermaid\ngraph LR\n```", "term\n: definition",
    "line\\\nbreak", "line  \nbreak", "a\n\nb", "\n\n\n", "&#124; cell", "&vert;", "&#x7c;", "&lt;b&gt;", "&amp;lt;", "&nbsp;",
    "&#0;", "&#60;script&#62;", "{{ 7*7 }}", "${{ secrets.GITHUB_TOKEN }}", "<%= 1 %>", "{% raw %}",
)  # fmt: skip
HTML = (
    "<b>bold</b>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<img src='https://evil.example/p.png'>",
    "</td></tr></table>", "</details>", "</summary></details>", "<details open><summary>x", "<!-- comment -->", "<!--",
    "-->", "<!-- ragjudge suite=x head=0 run=9.9 number=9 -->", "<![CDATA[ x ]]>", "]]>", "<?php echo 1 ?>", "<!DOCTYPE html>",
    "<svg onload=alert(1)>", "<iframe src=//evil.example>", "<a href='https://evil.example'>x</a>", "<a href=x", "<br>", "<br/>",
    "<hr>", "<style>*{display:none}</style>", "<input type=checkbox>", "<p align=center>", "<sub>", "</sub>", "<strong>",
    '"><b>', "' onmouseover='x", '" onmouseover="x', "<math><mi//xlink:href='data:x'>", "<base href=//evil.example>",
    "<form action=//evil.example>", "<textarea>", "</textarea>", "<xmp>", "<plaintext>", "<title>", "</title><script>",
    "</style><script>", "</script><script>", "<meta http-equiv=refresh content=0>", "<link rel=stylesheet href=//evil.example>",
)  # fmt: skip
GITHUB = (
    "@octocat", "@acme/team", "cc @octocat, @hubot", "(@octocat)", "@octocat.", ".@octocat", "-@octocat", "@-octocat",
    "@@octocat", "@octocat@octocat", "a/b@octocat", "#1", "#12345", "(#12)", "fixes #12", "Closes: #12", "resolves acme/app#12",
    "acme/app#12", "app#12", "GH-12", "gh-12", "closes GH-12", "close https://github.com/acme/app/issues/12",
    "https://github.com/acme/app/pull/3", "https://github.com/acme/app/commit/1234567890abcdef1234567890abcdef12345678",
    "acme/app@1234567", "octocat@1234567890abcdef1234567890abcdef12345678", "1234567890abcdef1234567890abcdef12345678",
    "deadbeef", "DEADBEEF", "1234567", "http://evil.example", "https://evil.example/?q=secret", "HTTPS://EVIL.EXAMPLE",
    "ftp://evil.example", "www.evil.example", "WWW.EVIL.EXAMPLE", "www.x@evil.example", "mailto:a@evil.example",
    "xmpp:a@evil.example/x", "//evil.example", ":tada:", ":+1:", ":octocat:", ":100:", "GHSA-xxxx-yyyy-zzzz", "CVE-2024-12345",
    "a@evil.example#12", "user@evil.example@octocat", "http://user:pass@evil.example", "https://evil.example/a_(b)_c",
)  # fmt: skip
RUNNER = (
    "::error::x", "::warning file=a,line=1::x", "::notice::x", "::debug::x", "::add-mask::ragjudge", "::group::x", "::endgroup::",
    "::set-output name=verdict::passed", "::save-state name=x::y", "::stop-commands::token", "::token::", "::echo::on",
    "::add-matcher::/tmp/x.json", "::remove-matcher owner=x::", " ::error::x", "\t::error::x", ":::error::x", "a::error::b",
    "##[error]x", "##[add-matcher]y", " ##[group]x", "###[error]x", "##[command]rm", "##[set-env name=PATH]x",
    "line\n::error::x", "line\r::error::x", "line\r\n##[error]x", "line\u2028::error::x", "line\x0b::error::x", "line\x85::error::x",
    "%0A::error::x", "%25%0A", "EOF", "verdict<<EOF\npassed\nEOF", "ghadelimiter_", "key=value\nPATH=/evil",
)  # fmt: skip
SHELL_AND_SHEET = (
    '"; id; "', "'; id; '", "$(id)", "`id`", "${IFS}", "a && b", "a || b", "; reboot", "> /etc/passwd", "!history", "~root", "*",
    "../../etc/passwd", "..\\..\\x", "C:\\x", "/dev/null", "-rf", "--help", "=1+1", "=cmd|' /C calc'!A0", '=HYPERLINK("//evil")',
    "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "＝1+1", "＠SUM(1)", "＋1", "－1", "%1", "|cmd", '"=1"', "'=1",
    "a,b", 'a"b', 'a""b', "a;b", '=DDE("cmd")', '=WEBSERVICE("//evil")',
)  # fmt: skip
CHARACTERS = (
    "\x00", "a\x00b", "\x07bell", "\x08\x08\x08back", "\x1b[31mred", "\x1b]0;title\x07", "\x1b[2J", "\x1b]8;;http://evil\x07x",
    "\x9b31m", "\x7f", "\u202eesrever", "\u2066iso\u2069", "\u200eltr", "\u200frtl", "\u061calm", "zero\u200bwidth", "\u200c",
    "\u200d", "\u2060", "\ufeffbom", "soft\u00adhyphen", "\u034f", "\u115f", "\u3164", "\uffa0", "\u2800", "\U000e0041tag",
    "\U000f0000private", "\ue000private", "\ufffe", "\uffff", "\ud800", "lone\udfff", "Z" + "\u0301" * 60, "\u0e47" * 40,
    "😀", "👨\u200d👩\u200d👧", "🏳️\u200d🌈", "ﷺ", "İstanbul", "ß", "Ａ＠ｔｅａｍ", "＃１２", "：：error：：", "｜", "＜b＞", "\u2028", "\u2029", "\x85", "\x0c",
    "\x1f", "a" * 5000, "あ" * 5000, " " * 500, "\u3000全角", "\u00a0nbsp\u00a0", "\u1680", "e\u0301" * 200, "\n" * 50, "\r" * 50,
)  # fmt: skip

ATTACKS = (*MARKDOWN, *HTML, *GITHUB, *RUNNER, *SHELL_AND_SHEET, *CHARACTERS)
STRINGS = tuple(
    dict.fromkeys(
        text
        for attack in ATTACKS
        for text in (
            attack,
            f"回答{attack}です",
            f"x\n{attack}\ny",
            f"{'あ' * (98 - min(len(attack), 8))}{attack}",
        )
    )
)
