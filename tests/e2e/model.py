"""A model that plays a script, on the loopback interface, in whatever format it is asked.

The script is `{"main": [TURN, …], "agents": {"MARKER": [TURN, …]}, "aux": [{"match": RE, "text": …}], "default": "ok"}`,
or the list for `main` alone. A turn has `text`, a call (`tool`, `input`) or several (`tools`), and may set `usage`,
wait (`delay`) or fail (`error`). A subagent's turns are found by a marker in its first message.
"""

import gzip
import http.server
import json
import re
import threading
import time
import zlib

import dialects

ROUTES = [
    (re.compile(r"/messages$"), dialects.Messages),
    (re.compile(r"/chat/completions$"), dialects.Completions),
    (re.compile(r"/responses$"), dialects.Responses),
    (re.compile(r"/chat-stream$"), dialects.Augment),
    (re.compile(r":(stream)?generateContent$", re.I), dialects.Gemini),
]

# Claude Code asks for the summary of a conversation in these words.
COMPACTION = re.compile(r"create a (detailed |.{0,40})summary", re.I | re.S)
SUMMARY = {"text": "<analysis>scripted</analysis>\n<summary>\nSCRIPTED SUMMARY\n</summary>"}


class Script:
    """Which turn is next, for each conversation."""

    def __init__(self, turns):
        turns = {"main": turns} if isinstance(turns, list) else turns or {}
        self.turns = {"main": turns.get("main", [])}
        self.turns |= {"agent:" + marker: list(mine) for marker, mine in turns.get("agents", {}).items()}
        self.aux = turns.get("aux", [])
        self.default = {"text": turns.get("default", "ok")}
        self.played = dict.fromkeys(self.turns, 0)
        self.lock = threading.Lock()

    def next(self, seen, has_tools, retried):
        """The conversation that a request belongs to, and its next turn."""
        asked = [piece.text for piece in seen if piece.role == "user" and piece.kind == "text" and piece.text]
        first, last = "\n".join(asked), asked[-1] if asked else ""
        for rule in self.aux:
            if re.search(rule["match"], last, re.S):
                return "aux", rule
        if COMPACTION.search(last):
            return "compaction", SUMMARY
        name = next((n for n in self.turns if n.startswith("agent:") and n[6:] in first), "main")
        if name == "main" and not has_tools:
            return "side", self.default
        with self.lock:
            index = self.played[name]
            # A client that lost an answer asks again, and is told the same.
            if retried and index and "error" not in (self.turns[name] + [{}])[min(index, len(self.turns[name])) - 1]:
                index -= 1
            self.played[name] = index + 1
        return name, self.turns[name][index] if index < len(self.turns[name]) else self.default

    def unplayed(self):
        return {name: len(turns) - self.played[name] for name, turns in self.turns.items()
                if len(turns) > self.played[name]}


class Model:
    """The server; `requests` is what it was shown, `calls` what it asked for, `offered` the tools that it could have."""

    def __init__(self, other_answers):
        self.script = Script([])
        self.other_answers = other_answers
        self.requests = []
        self.calls = []
        self.offered = {}
        self.lock = threading.Lock()
        handler = type("Handler", (Handler,), {"model": self})
        self.server = Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def start(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, dialect, body, retried):
        seen, tools = dialect.read(body), dialect.tools(body)
        name, turn = self.script.next(seen, bool(tools), retried)
        with self.lock:
            number = len(self.requests) + 1
            self.requests.append({"thread": name, "seen": seen})
            self.offered |= tools
            asked = list(turn.get("tools", [])) + ([turn] if "tool" in turn else [])
            calls = [dialects.Call(call.get("id") or f"call_{number}_{index}", call["tool"], call.get("input", {}),
                                   tools.get(call["tool"], {})) for index, call in enumerate(asked)]
            self.calls += [{"id": c.id, "tool": c.tool, "offered": c.tool in tools} for c in calls]
        time.sleep(turn.get("delay", 0))
        if "error" in turn:
            return turn["error"], None
        return None, dialect.write(dialects.Reply(number, turn.get("text"), calls, turn.get("usage", {})), body)

    def results(self):
        """What the model was told about each of its calls, in order."""
        told = {}
        for request in self.requests:
            for piece in request["seen"]:
                if piece.kind == "result" and request["thread"] != "compaction":
                    told.setdefault(piece.id, piece)
        return told

    def text(self):
        return "\n".join(piece.text for request in self.requests for piece in request["seen"])


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that hangs up is none of ours."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model = None

    def log_message(self, *_):
        """Standard error is for people."""

    def serve(self):
        raw = self.body()
        path = self.path.split("?")[0]
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        dialect = next((d for pattern, d in ROUTES if pattern.search(path)), None)
        if self.command != "POST" or dialect is None:
            return self.send(*self.otherwise(path, len(raw)))
        if dialect is dialects.Gemini:
            body["stream"] = "stream" in path
        error, reply = self.model.answer(dialect, body, bool(int(self.headers.get("x-stainless-retry-count") or 0)))
        if error is not None:
            told = {"type": error.get("type", "api_error"), "message": error.get("message", "scripted error")}
            return self.send(error.get("status", 500), {"type": "error", "error": told})
        return self.stream(reply.items) if isinstance(reply, dialects.Events) else self.send(200, reply)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = serve

    def body(self):
        size = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(size)
        if "chunked" in (self.headers.get("transfer-encoding") or ""):
            while length := int(self.rfile.readline().strip() or b"0", 16):
                raw += self.rfile.read(length)
                self.rfile.readline()
            self.rfile.readline()
        unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress}.get(self.headers.get("content-encoding") or "")
        return unpack(raw) if unpack else raw

    def otherwise(self, path, size):
        """What clients ask beside the conversation."""
        answer = self.model.other_answers(path)
        if answer is not None:
            return 200, answer
        if path.endswith(("/count_tokens", ":countTokens")):
            return 200, {"input_tokens": size // 4 + 1, "totalTokens": size // 4 + 1}
        if path.endswith("/models"):
            return 200, {"object": "list", "has_more": False, "models": [], "data": [{"id": "scripted", "object": "model"}]}
        return 404, {"error": {"type": "not_found_error", "message": "not scripted", "code": 404}}

    def send(self, status, answer):
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def stream(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode())
        self.wfile.flush()
