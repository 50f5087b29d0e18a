"""The wire formats that coding agents speak to their models.

`Dialect.read(body)` gives what a request shows the model, as a list of `Seen`; `Dialect.tools(body)` names what it may
call; `Dialect.write(reply, body)` gives the answer: JSON, or server-sent events where the client asked for a stream.
"""

import dataclasses
import json
import time


@dataclasses.dataclass
class Seen:
    """One piece of a request: a text, a call of the model's, or the result of one."""

    role: str
    kind: str  # text, call, result
    text: str
    id: str = ""
    error: bool = False


@dataclasses.dataclass
class Call:
    id: str
    tool: str
    input: object
    definition: dict

    def arguments(self):
        return self.input if isinstance(self.input, str) else json.dumps(self.input)


@dataclasses.dataclass
class Reply:
    """What the scripted model says in one turn."""

    number: int
    text: str | None
    calls: list
    usage: dict

    @property
    def tokens(self):
        return self.usage.get("input_tokens", 1000), self.usage.get("output_tokens", 10)


@dataclasses.dataclass
class Events:
    """A stream: (name or None, data) each."""

    items: list


def plain(value):
    """All text of a content, whatever its shape."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(plain(part) for part in value)
    if isinstance(value, dict):
        for key in ("text", "content", "parts", "output"):
            if value.get(key) is not None:
                return plain(value[key])
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class Messages:
    """Anthropic Messages."""

    @staticmethod
    def read(body):
        seen = [Seen("system", "text", plain(body.get("system")))]
        for message in body.get("messages", []):
            role, content = message.get("role", ""), message.get("content")
            for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
                if block.get("type") == "tool_result":
                    seen.append(Seen(role, "result", plain(block.get("content")), block.get("tool_use_id", ""),
                                     bool(block.get("is_error"))))
                elif block.get("type") == "tool_use":
                    seen.append(Seen(role, "call", json.dumps(block.get("input")), block.get("id", "")))
                else:
                    seen.append(Seen(role, "text", plain(block)))
        return seen

    @staticmethod
    def tools(body):
        return {tool.get("name"): tool for tool in body.get("tools") or []}

    @staticmethod
    def write(reply, body):
        blocks = [] if reply.text is None else [{"type": "text", "text": reply.text}]
        blocks += [{"type": "tool_use", "id": c.id, "name": c.tool, "input": c.input} for c in reply.calls]
        usage = {"input_tokens": 1000, "output_tokens": 10, "cache_creation_input_tokens": 0,
                 "cache_read_input_tokens": 0, **reply.usage}
        message = {"id": f"msg_{reply.number}", "type": "message", "role": "assistant", "model": body.get("model"),
                   "content": blocks, "stop_reason": "tool_use" if reply.calls else "end_turn",
                   "stop_sequence": None, "usage": usage}
        return Events(list(Messages.stream(message))) if body.get("stream") else message

    @staticmethod
    def stream(message):
        def event(kind, **data):
            return kind, {"type": kind, **data}

        yield event("message_start", message={**message, "content": [], "stop_reason": None})
        for index, block in enumerate(message["content"]):
            if block["type"] == "text":
                start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                start = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield event("content_block_start", index=index, content_block=start)
            yield event("content_block_delta", index=index, delta=delta)
            yield event("content_block_stop", index=index)
        end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        yield event("message_delta", delta=end, usage=message["usage"])
        yield event("message_stop")


class Completions:
    """OpenAI chat completions."""

    @staticmethod
    def read(body):
        seen = []
        for message in body.get("messages", []):
            role = message.get("role", "")
            if role == "tool":
                seen.append(Seen(role, "result", plain(message.get("content")), message.get("tool_call_id", "")))
                continue
            seen.append(Seen(role, "text", plain(message.get("content"))))
            for call in message.get("tool_calls") or []:
                seen.append(Seen(role, "call", call.get("function", {}).get("arguments", ""), call.get("id", "")))
        return seen

    @staticmethod
    def tools(body):
        functions = [tool.get("function") or tool for tool in body.get("tools") or []]
        return {function.get("name"): function for function in functions}

    @staticmethod
    def write(reply, body):
        asked, said = reply.tokens
        usage = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        head = {"id": f"chat_{reply.number}", "created": int(time.time()), "model": body.get("model")}
        calls = [{"index": index, "id": call.id, "type": "function",
                  "function": {"name": call.tool, "arguments": call.arguments()}}
                 for index, call in enumerate(reply.calls)]
        finish = "tool_calls" if calls else "stop"
        if not body.get("stream"):
            message = {"role": "assistant", "content": reply.text, **({"tool_calls": calls} if calls else {})}
            return {**head, "object": "chat.completion", "usage": usage,
                    "choices": [{"index": 0, "message": message, "finish_reason": finish}]}

        def chunk(delta, finish_reason=None, **more):
            choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
            return None, {**head, "object": "chat.completion.chunk", "choices": [choice], **more}

        return Events([chunk({"role": "assistant", "content": reply.text or ""}),
                       *[chunk({"tool_calls": [call]}) for call in calls],
                       chunk({}, finish, usage=usage), (None, "[DONE]")])


class Responses:
    """OpenAI Responses."""

    @staticmethod
    def read(body):
        seen = [Seen("system", "text", plain(body.get("instructions")))]
        items = body.get("input")
        for item in items if isinstance(items, list) else [{"role": "user", "content": items}]:
            kind, role = item.get("type", "message"), item.get("role") or ""
            if kind.endswith("_call_output"):
                seen.append(Seen("tool", "result", plain(item.get("output")), item.get("call_id", "")))
            elif kind.endswith("_call"):
                seen.append(Seen("assistant", "call", plain(item.get("arguments") or item.get("input")),
                                 item.get("call_id", "")))
            else:
                seen.append(Seen(role, "text", plain(item)))
        return seen

    @staticmethod
    def tools(body):
        named = {}
        for tool in body.get("tools") or []:
            if tool.get("type") == "namespace":
                named |= {inner.get("name"): {**inner, "namespace": tool.get("name")} for inner in tool.get("tools", [])}
            else:
                named[tool.get("name") or tool.get("type")] = tool
        return named

    @staticmethod
    def item(call, number):
        item = {"id": f"fc_{number}_{call.id}", "status": "completed", "call_id": call.id, "name": call.tool}
        if call.definition.get("namespace"):
            item["namespace"] = call.definition["namespace"]
        if call.definition.get("type") == "custom":
            return {**item, "type": "custom_tool_call", "input": call.arguments()}
        return {**item, "type": "function_call", "arguments": call.arguments()}

    @staticmethod
    def write(reply, body):
        items = [Responses.item(call, reply.number) for call in reply.calls]
        if reply.text is not None:
            text = {"type": "output_text", "text": reply.text, "annotations": []}
            items.insert(0, {"type": "message", "id": f"msg_{reply.number}", "status": "completed",
                             "role": "assistant", "content": [text]})
        asked, said = reply.tokens
        usage = {"input_tokens": asked, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": said,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": asked + said}
        response = {"id": f"resp_{reply.number}", "object": "response", "created_at": int(time.time()),
                    "model": body.get("model"), "status": "completed", "output": items, "usage": usage, "error": None,
                    "incomplete_details": None, "parallel_tool_calls": True, "tools": [], "metadata": {}}
        if not body.get("stream"):
            return response
        return Events([(event["type"], {**event, "sequence_number": number})
                       for number, event in enumerate(Responses.stream(response, items))])

    @staticmethod
    def stream(response, items):
        yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}
        for index, item in enumerate(items):
            where = {"item_id": item["id"], "output_index": index}
            field, kind = {"message": ("content", "output_text"), "function_call": ("arguments", "function_call_arguments"),
                           "custom_tool_call": ("input", "custom_tool_call_input")}[item["type"]]
            begun = {**item, "status": "in_progress", field: [] if field == "content" else ""}
            yield {"type": "response.output_item.added", "output_index": index, "item": begun}
            if field == "content":
                where["content_index"] = 0
                yield {"type": "response.content_part.added", **where, "part": {**item["content"][0], "text": ""}}
            said = plain(item[field])
            yield {"type": f"response.{kind}.delta", **where, "delta": said}
            yield {"type": f"response.{kind}.done", **where, "text" if field == "content" else field: said}
            if field == "content":
                yield {"type": "response.content_part.done", **where, "part": item["content"][0]}
            yield {"type": "response.output_item.done", "output_index": index, "item": item}
        yield {"type": "response.completed", "response": response}


class Gemini:
    """Google's generateContent."""

    @staticmethod
    def read(body):
        seen = [Seen("system", "text", plain(body.get("systemInstruction")))]
        for content in body.get("contents", []):
            for part in content.get("parts", []):
                role = content.get("role", "")
                if "functionResponse" in part:
                    answer = part["functionResponse"]
                    response = answer.get("response") or {}
                    seen.append(Seen(role, "result", json.dumps(response, ensure_ascii=False), answer.get("id") or "",
                                     "error" in response))
                elif "functionCall" in part:
                    call = part["functionCall"]
                    seen.append(Seen(role, "call", json.dumps(call.get("args")), call.get("id") or ""))
                else:
                    seen.append(Seen(role, "text", plain(part)))
        return seen

    @staticmethod
    def tools(body):
        return {function.get("name"): function for tool in body.get("tools") or []
                for function in tool.get("functionDeclarations") or []}

    @staticmethod
    def write(reply, body):
        parts = [] if reply.text is None else [{"text": reply.text}]
        parts += [{"functionCall": {"name": c.tool, "args": c.input, "id": c.id}} for c in reply.calls]
        asked, said = reply.tokens
        answer = {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}],
                  "responseId": f"resp_{reply.number}",
                  "usageMetadata": {"promptTokenCount": asked, "candidatesTokenCount": said,
                                    "totalTokenCount": asked + said}}
        return Events([(None, answer)]) if body.get("stream") else answer


class Augment:
    """Augment's chat-stream: past exchanges, and the nodes of the present one; the answer is JSON lines."""

    SYSTEM = ("system_prompt", "user_guidelines", "workspace_guidelines", "agent_memories")

    @staticmethod
    def read(body):
        seen = [Seen("system", "text", plain(body.get(key))) for key in Augment.SYSTEM]

        def add(role, nodes, text):
            seen.append(Seen(role, "text", plain(text)))
            for node in nodes or []:
                result, call = node.get("tool_result_node"), node.get("tool_use")
                if result:
                    said = result.get("content") or plain(result.get("content_nodes"))
                    seen.append(Seen(role, "result", said, result.get("tool_use_id", ""), bool(result.get("is_error"))))
                elif call:
                    seen.append(Seen(role, "call", call.get("input_json") or "", call.get("tool_use_id", "")))
                else:
                    seen.append(Seen(role, "text", plain(node.get("text_node") or node.get("content") or node)))

        for exchange in body.get("chat_history") or []:
            add("user", exchange.get("request_nodes"), exchange.get("request_message"))
            add("assistant", exchange.get("response_nodes"), exchange.get("response_text"))
        add("user", body.get("nodes"), body.get("message"))
        return seen

    @staticmethod
    def tools(body):
        return {tool.get("name"): tool for tool in body.get("tool_definitions") or []}

    @staticmethod
    def write(reply, _body):
        nodes = [] if reply.text is None else [{"id": 1, "type": 0, "content": reply.text}]
        nodes += [{"id": 2 + index, "type": 5, "content": "", "tool_use": {
            "tool_use_id": call.id, "tool_name": call.tool, "input_json": call.arguments()}}
            for index, call in enumerate(reply.calls)]
        rest = {"unknown_blob_names": [], "checkpoint_not_found": False, "workspace_file_chunks": []}
        lines = [{**rest, "text": reply.text or "", "nodes": nodes},
                 {**rest, "text": "", "stop_reason": 3 if reply.calls else 1}]
        return "".join(json.dumps(line) + "\n" for line in lines).encode()
