"""The agents: which packages they are, how each is started headless against the scripted model, and what it can do.

`traits` are the facts that scenarios differ by:

    reason      a refusal's reason reaches the model
    goes_on     the model may go on after a refusal
    context     the events whose context reaches the model
    missing     what becomes of a call whose hook's program is missing: it `runs` or is `refused`
    late        the same for a hook that answers after its time
"""

import json
import os
import shutil

from agent import ARCH, NODE, Agent, nested, write, write_json


class Claude(Agent):
    name = "claude"
    registered = ".claude/settings.json"
    packages = {"claude": f"@anthropic-ai/claude-code-linux-{ARCH}@2.1.325"}
    entry = (f"claude/node_modules/@anthropic-ai/claude-code-linux-{ARCH}/claude", "claude/package/claude")
    machine_settings = ("/etc/claude-code",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart", "UserPromptSubmit"],
              "missing": "refused", "late": "refused"}

    def environment(self, place):
        return {"IS_SANDBOX": "1", "CLAUDE_CONFIG_DIR": os.path.join(place.work, "config"),
                "ANTHROPIC_API_KEY": "sk-ant-loopback-only", "ANTHROPIC_BASE_URL": place.url,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1", "DISABLE_AUTOUPDATER": "1"}

    def shell(self, command):
        return {"tool": "Bash", "input": {"command": command, "description": "as scripted"}}

    def write(self, path, text):
        return {"tool": "Write", "input": {"file_path": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}}

    def subagent(self, prompt):
        return {"tool": "Agent", "input": {"description": "as scripted", "prompt": prompt, "subagent_type": "general-purpose"}}

    def own_hook(self, program):
        return nested(".claude/settings.json", "PreToolUse", program)


class Codex(Agent):
    trusts_others = False
    name = "codex"
    folder_field = "workdir"
    registered = ".codex/hooks.json"
    switches = (".codex/config.toml",)
    packages = {"codex": "@openai/codex@0.166.0"}
    entry = ("codex/node_modules/@openai/codex-linux-*/vendor/*/bin/codex",)
    machine_settings = ("/etc/codex",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart", "UserPromptSubmit"],
              "missing": "refused", "late": "runs"}

    def set_up(self, place):
        # `apply_patch` is offered only to models whose names the client knows.
        write(os.path.join(place.home, ".codex/config.toml"), f"""model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{place.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."{place.project}"]
trust_level = "trusted"
""")

    def environment(self, place):
        return {"SCRIPTED_KEY": "none", "CODEX_HOME": os.path.join(place.home, ".codex")}

    def command(self, place, prompt):
        return self.program(place) + ["exec", "--json", "--skip-git-repo-check", prompt,
                                      "--dangerously-bypass-approvals-and-sandbox"]

    def shell(self, command):
        return {"tool": "exec_command", "input": {"cmd": command}}

    def write(self, path, text):
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        return {"tool": "apply_patch", "input": f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"}

    def edit(self, path, old, new):
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
        return {"tool": "apply_patch", "input": patch}

    def erasures(self, path):
        patch = f"*** Begin Patch\n*** Add File: beside.txt\n+x\n*** Delete File: {path}\n*** End Patch\n"
        # The client takes such a line for a call of the tool.
        return [{"tool": "apply_patch", "input": patch}, self.shell(f"apply_patch <<'EOF'\n{patch}EOF\n")]

    def own_hook(self, program):
        return nested(".codex/hooks.json", "PreToolUse", program)


class Gemini(Agent):
    name = "gemini"
    folder_field = "dir_path"
    registered = ".gemini/settings.json"
    packages = {**NODE, "gemini": "@google/gemini-cli@0.61.0"}
    entry = ("gemini/node_modules/@google/gemini-cli/bundle/gemini.js",)
    on_node = True
    machine_settings = ("/etc/gemini-cli",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart", "UserPromptSubmit"],
              "missing": "refused", "late": "runs"}

    def set_up(self, place):
        write_json(os.path.join(place.home, ".gemini/settings.json"), {
            "security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}, "ide": {"enabled": False}})

    def environment(self, place):
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": place.url, "GEMINI_CLI_TRUST_WORKSPACE": "true",
                "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_TELEMETRY_ENABLED": "false", "NO_BROWSER": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["-m", "gemini-2.5-flash", "--output-format", "stream-json",
                                      "--approval-mode", "yolo", "-p", prompt]

    def shell(self, command):
        return {"tool": "run_shell_command", "input": {"command": command}}

    def write(self, path, text):
        return {"tool": "write_file", "input": {"file_path": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "replace", "input": {"file_path": path, "instruction": "as scripted", "old_string": old,
                                             "new_string": new}}

    def subagent(self, prompt):
        return {"tool": "invoke_agent", "input": {"agent_name": "generalist", "prompt": prompt}}

    def own_hook(self, program):
        return nested(".gemini/settings.json", "BeforeTool", program)


class Qwen(Agent):
    name = "qwen"
    folder_field = "directory"
    registered = ".qwen/settings.json"
    packages = {**NODE, "qwen": "@qwen-code/qwen-code@0.24.4"}
    entry = ("qwen/node_modules/@qwen-code/qwen-code/cli-entry.js", "qwen/node_modules/@qwen-code/qwen-code/cli.js")
    on_node = True
    machine_settings = ("/etc/qwen-code",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart", "UserPromptSubmit"],
              "missing": "refused", "late": "runs"}

    def set_up(self, place):
        write_json(os.path.join(place.home, ".qwen/settings.json"), {
            "security": {"auth": {"selectedType": "openai"}}, "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}})

    def environment(self, place):
        return {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": place.url + "/v1", "OPENAI_MODEL": "scripted",
                "NO_BROWSER": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["--auth-type", "openai", "--output-format", "stream-json",
                                      "--approval-mode", "yolo", "-p", prompt]

    def shell(self, command):
        return {"tool": "run_shell_command", "input": {"command": command, "is_background": False}}

    def write(self, path, text):
        return {"tool": "write_file", "input": {"file_path": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "edit", "input": {"file_path": path, "old_string": old, "new_string": new}}

    def subagent(self, prompt):
        return {"tool": "agent", "input": {"description": "as scripted", "prompt": prompt, "subagent_type": "general-purpose"}}

    def indirectly(self, command):
        # A tool that the model must have looked up before it may call it.
        call = {"name": "monitor", "arguments": {"command": command, "description": "as scripted"}}
        return [{"tool": "tool_search", "input": {"query": "monitor"}}, {"tool": "tool_call", "input": call}]

    def own_hook(self, program):
        return nested(".qwen/settings.json", "PreToolUse", program)


class Copilot(Agent):
    name = "copilot"
    registered = ".github/hooks/hookgen-safety.json"
    switches = (".github/copilot/settings.json", ".github/copilot/settings.local.json")
    packages = {"copilot": "@github/copilot@1.0.102"}
    entry = ("copilot/node_modules/@github/copilot-linux-*/copilot",)
    machine_settings = ("/etc/github-copilot",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart", "UserPromptSubmit"],
              "missing": "refused", "late": "runs"}

    def set_up(self, place):
        write_json(os.path.join(place.home, ".copilot/config.json"), {"trustedFolders": [place.project]})

    def environment(self, place):
        # The client does not start on a machine without root certificates, though it makes no such call here.
        certificates = {key: os.environ[key] for key in ["SSL_CERT_FILE"] if key in os.environ}
        return {"COPILOT_PROVIDER_BASE_URL": place.url + "/v1", "COPILOT_PROVIDER_TYPE": "openai",
                "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "scripted", "COPILOT_OFFLINE": "true",
                "COPILOT_AUTO_UPDATE": "false", "COPILOT_HOME": os.path.join(place.home, ".copilot"), **certificates}

    def command(self, place, prompt):
        return self.program(place) + ["--allow-all-tools", "--no-color", "-p", prompt]

    def shell(self, command):
        return {"tool": "bash", "input": {"command": command, "description": "as scripted"}}

    def write(self, path, text):
        return {"tool": "create", "input": {"path": path, "file_text": text}}

    def edit(self, path, old, new):
        return {"tool": "edit", "input": {"path": path, "old_str": old, "new_str": new}}

    def subagent(self, prompt):
        return {"tool": "task", "input": {"description": "as scripted", "prompt": prompt, "agent_type": "general-purpose",
                                          "name": "scripted", "mode": "sync"}}

    def own_hook(self, program):
        hook = {"type": "command", "bash": program}
        return {".github/hooks/own.json": json.dumps({"version": 1, "hooks": {"preToolUse": [hook]}})}


class Droid(Agent):
    name = "droid"
    registered = ".factory/hooks.json"
    packages = {"droid": "droid@0.215.0"}
    entry = ("droid/node_modules/@factory/cli-linux-*/bin/droid",)
    machine_settings = ("/etc/factory",)
    traits = {"reason": True, "goes_on": True, "context": ["SessionStart"], "missing": "refused", "late": "runs"}

    def set_up(self, place):
        write_json(os.path.join(place.home, ".factory/settings.json"), {"customModels": [{
            "model": "scripted", "displayName": "scripted", "baseUrl": place.url + "/v1", "apiKey": "none",
            "provider": "generic-chat-completion-api", "maxOutputTokens": 8000}]})

    def environment(self, place):
        return {"FACTORY_API_KEY": "fk-none", "FACTORY_API_BASE_URL": place.url, "FACTORY_AIRGAP_ENABLED": "true",
                "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false", "FACTORY_DISABLE_KEYRING": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["exec", "-m", "custom:scripted", "-o", "stream-json",
                                      "--skip-permissions-unsafe", prompt]

    def shell(self, command):
        return {"tool": "Execute", "input": {"command": command, "summary": "as scripted", "riskLevel": "low",
                                             "riskLevelReason": "as scripted"}}

    def write(self, path, text):
        return {"tool": "Create", "input": {"file_path": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "Edit", "input": {"file_path": path, "old_str": old, "new_str": new}}

    def own_hook(self, program):
        return {".factory/hooks.json": json.dumps({"PreToolUse": [{"hooks": [{"type": "command", "command": program}]}]})}


class KimiCode(Agent):
    name = "kimi-code"
    folder_field = "cwd"
    registered = "~/.kimi-code/config.toml"
    packages = {**NODE, "kimi-code": "@moonshot-ai/kimi-code@2.1.0"}
    entry = ("kimi-code/node_modules/@moonshot-ai/kimi-code/dist/main.mjs",)
    on_node = True
    traits = {"reason": True, "goes_on": True, "context": ["UserPromptSubmit"], "missing": "refused", "late": "runs"}

    def set_up(self, place):
        write(os.path.join(place.home, ".kimi-code/config.toml"), f"""default_model = "scripted"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "{place.url}/v1"
api_key = "none"
[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 200000
capabilities = ["tool_use"]
""")

    def environment(self, place):
        return {"KIMI_CODE_HOME": os.path.join(place.home, ".kimi-code"), "KIMI_DISABLE_TELEMETRY": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["--output-format", "stream-json", "-p", prompt]

    def shell(self, command):
        return {"tool": "Bash", "input": {"command": command}}

    def write(self, path, text):
        return {"tool": "Write", "input": {"path": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "Edit", "input": {"path": path, "old_string": old, "new_string": new}}

    def subagent(self, prompt):
        return {"tool": "Agent", "input": {"description": "as scripted", "prompt": prompt, "subagent_type": "coder"}}

    def own_hook(self, program):
        return {"~/.kimi-code/config.toml": f'\n[[hooks]]\nevent = "PreToolUse"\ncommand = {json.dumps(program)}\n'}


class Auggie(Agent):
    name = "auggie"
    folder_field = "cwd"
    registered = ".augment/settings.json"
    packages = {**NODE, "auggie": "@augmentcode/auggie@0.36.0"}
    entry = ("auggie/node_modules/@augmentcode/auggie/augment.mjs",)
    on_node = True
    machine_settings = ("/etc/augment",)
    traits = {"reason": True, "goes_on": True, "context": [], "missing": "runs", "late": "runs"}

    def environment(self, place):
        session = {"accessToken": "none", "tenantURL": place.url + "/", "scopes": ["email"]}
        return {"AUGMENT_SESSION_AUTH": json.dumps(session), "AUGMENT_DISABLE_AUTO_UPDATE": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["--print", prompt]

    def other_answers(self, path):
        if path.endswith("/get-models"):
            model = {"name": "scripted", "internal_name": "scripted", "suggested_prefix_char_count": 1000,
                     "suggested_suffix_char_count": 1000}
            # Without this flag of the service no hook runs.
            return {"default_model": "scripted", "languages": [], "user_tier": "unknown", "models": [model],
                    "feature_flags": {"enable_hooks": True}}
        if path.endswith("-configs"):
            return {"mcp_configs": []}
        return {"tools": []} if path.endswith("/list-remote-tools") else None

    def shell(self, command):
        return {"tool": "launch-process", "input": {"command": command, "wait": True, "max_wait_seconds": 60}}

    def write(self, path, text):
        return {"tool": "save-file", "input": {"path": path, "file_content": text,
                                               "instructions_reminder": "LIMIT THE FILE CONTENT TO AT MOST 150 LINES."}}

    def edit(self, path, old, new):
        place = {"old_str": old, "new_str": new, "old_str_start_line_number": 1, "old_str_end_line_number": 1}
        return {"tool": "str-replace-editor", "input": {"command": "str_replace", "path": path,
                                                        "str_replace_entries": [place]}}

    def erasures(self, path):
        return [{"tool": "remove-files", "input": {"file_paths": [path]}}]


class Cline(Agent):
    name = "cline"
    registered = ".clinerules/hooks/PreToolUse"
    packages = {"cline": "cline@3.0.65"}
    entry = ("cline/node_modules/@cline/cli-linux-*/bin/cline",)
    traits = {"reason": False, "goes_on": False, "context": [], "missing": "refused", "late": "runs"}

    def before(self, place):
        return [self.program(place) + ["auth", "-p", "openai-compatible", "-k", "none", "-m", "scripted",
                                       "-b", place.url + "/v1"]]

    def environment(self, place):
        return {"CLINE_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}

    def command(self, place, prompt):
        return self.program(place) + ["--json", "-P", "openai-compatible", "-m", "scripted", "-k", "none",
                                      "--auto-approve", "true", prompt]

    def shell(self, command):
        return {"tool": "run_commands", "input": {"commands": [command]}}

    def write(self, path, text):
        return {"tool": "editor", "input": {"path": path, "new_text": text}}

    def edit(self, path, old, new):
        return {"tool": "editor", "input": {"path": path, "old_text": old, "new_text": new}}

    def indirectly(self, command):
        return [{"tool": "run_commands", "input": {"commands": ["true", command]}}]


class OpenCode(Agent):
    name = "opencode"
    folder_field = "workdir"
    registered = ".opencode/plugin/hookgen-safety.js"
    packages = {"opencode": "opencode-ai@1.18.33", "opencode-plugin": "@opencode-ai/plugin@1.18.33"}
    entry = ("opencode/node_modules/opencode-linux-*/bin/opencode",)
    machine_settings = ("/etc/opencode",)
    traits = {"reason": True, "goes_on": True, "context": ["UserPromptSubmit"], "missing": "refused", "late": "refused"}

    def set_up(self, place):
        model = {"name": "scripted", "tool_call": True, "limit": {"context": 200000, "output": 8000}}
        write_json(os.path.join(place.home, ".config/opencode/opencode.json"), {
            "model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": False,
            "share": "disabled", "enabled_providers": ["scripted"],
            "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "models": {"scripted": model},
                                      "options": {"baseURL": place.url + "/v1", "apiKey": "none"}}}})

    def after_install(self, place):
        # Without its plugin package the client waits more than a minute for a network that is not there.
        have = os.path.join(place.cache, "opencode-plugin")
        for folder in (os.path.join(place.home, ".config/opencode"), os.path.join(place.project, ".opencode")):
            os.makedirs(folder, exist_ok=True)
            os.symlink(os.path.join(have, "node_modules"), os.path.join(folder, "node_modules"))
            for name in ("package.json", "package-lock.json"):
                shutil.copy(os.path.join(have, name), folder)

    def environment(self, place):
        return {f"OPENCODE_DISABLE_{name}": "true"
                for name in ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")}

    def command(self, place, prompt):
        return self.program(place) + ["run", "--format", "json", "--auto", prompt]

    def shell(self, command):
        return {"tool": "bash", "input": {"command": command, "description": "as scripted"}}

    def write(self, path, text):
        return {"tool": "write", "input": {"filePath": path, "content": text}}

    def edit(self, path, old, new):
        return {"tool": "edit", "input": {"filePath": path, "oldString": old, "newString": new}}

    def subagent(self, prompt):
        return {"tool": "task", "input": {"description": "as scripted", "prompt": prompt, "subagent_type": "general"}}


AGENTS = {"claude": Claude(), "codex": Codex(), "gemini": Gemini(), "qwen": Qwen(), "copilot": Copilot(),
          "droid": Droid(), "kimi-code": KimiCode(), "auggie": Auggie(), "cline": Cline(), "opencode": OpenCode()}
