//! Functions of other languages that a guard cares about, by their last name.

/// Functions that start a command, in whichever language.
pub(in crate::shell) const STARTING: &[&str] = &[
    "system",
    "popen",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "shell_exec",
    "passthru",
    "proc_open",
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "getoutput",
    "getstatusoutput",
    "execl",
    "execlp",
    "execv",
    "execvp",
    "execvpe",
    "execve",
    "execute",
    "script",
    "shell",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "posix_spawn",
    "cmd",
    "callCommand",
    "callProcess",
    "capture2",
    "capture3",
    "pipe",
    "open3",
    "spawnl",
    "spawnlp",
    "spawnv",
    "startfile",
    "getRuntime",
    "Command",
    "shell_command",
    "async_shell_command",
    "shell_command_to_string",
    "call_process",
    "start_process",
    "pcntl_exec",
    "execa",
    "execaSync",
    "execaCommand",
    "execaCommandSync",
    "system2",
    "doShellScript",
    "syscmd",
    "esyscmd",
    "run_program",
    "popen2",
    "popen3",
    "popen4",
    "sh",
    "ProcessBuilder",
];

/// Functions that delete a folder with all that is in it.
pub(in crate::shell) const DELETING: &[&str] = &[
    "rmtree",
    "remove_tree",
    "rm_rf",
    "rm_r",
    "rm",
    "rmSync",
    "rmdirSync",
    "removeSync",
    "rimraf",
    "deltree",
    "remove_entry_secure",
    "rmtree_secure",
    "emptyDirSync",
    "emptyDir",
    "unlink",
    "removeDirectory",
    "unlinkSync",
    "delete_recursive",
    "remove_dir_all",
    "delete_directory",
    "remove_dir",
    "deleteDir",
    "deleteRecursively",
    "RemoveAll",
    "del_dir_r",
    "removeItem",
    "removedirs",
    "deleteSync",
    "trashSync",
    "send2trash",
    "dir_delete",
    "removeDirectoryRecursive",
    "removePathForcibly",
];

/// Functions after which the first path that they are given is somewhere else.
pub(in crate::shell) const MOVING: &[&str] = &["rename", "renameSync", "move", "moveSync"];

/// Functions that put texts into the marks of the first one.
pub(in crate::shell) const FORMATTING: &[&str] = &["sprintf", "format"];

/// Functions that call another one, which they are given the name of.
pub(in crate::shell) const SENDING: &[&str] = &["send", "public_send", "__send__"];

/// Functions that print what they are given.
pub(in crate::shell) const PRINTING: &[&str] = &["print", "puts", "echo", "say", "log", "println"];

/// Functions that put a text into a file.
pub(in crate::shell) const SAVING: &[&str] = &[
    "write",
    "write_text",
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "file_put_contents",
    "writeTextFile",
    "writeTextFileSync",
    "binwrite",
];

/// Functions that put what an address leads to into a file.
pub(in crate::shell) const SAVING_FETCHED: &[&str] = &["urlretrieve", "copy", "download", "getstore", "download_file"];

/// Functions that run the code of a file or an address.
pub(in crate::shell) const LOADING: &[&str] =
    &["include", "include_once", "require_once", "require", "source", "source_url", "import", "parse"];

/// Functions that go through a folder; what is deleted one by one behind them is all of it.
pub(in crate::shell) const GOING_THROUGH: &[&str] =
    &["walk", "rglob", "readdirSync", "scandir", "listdir", "find", "finddepth", "glob", "iglob", "iterdir"];

/// Functions that give back their path, or a part put before it.
pub(in crate::shell) const PASSING: &[&str] = &[
    "Path",
    "PosixPath",
    "str",
    "expanduser",
    "expandvars",
    "abspath",
    "realpath",
    "resolve",
    "fspath",
    "expand_path",
    "normalize",
    "normpath",
    "glob",
    "bsd_glob",
    "iglob",
    "q",
    "qq",
    "String",
    "Pathname",
    "escape",
    "quote",
    "escapeshellarg",
    "new",
    "File",
    "Directory",
    "split",
];

/// Names for the home folder, as code writes them.
pub(in crate::shell) const HOMES: &[&str] = &[
    "Path.home",
    "pathlib.Path.home",
    "homedir",
    "os.homedir",
    "Dir.home",
    "process.env.HOME",
    "home_dir",
    "File.homedir",
];

/// Functions whose result comes from somewhere else.
pub(in crate::shell) const FETCHING: &[&str] = &[
    "open",
    "urlopen",
    "urlretrieve",
    "requests",
    "urllib",
    "httpx",
    "fetch",
    "URI",
    "Net",
    "LWP",
    "get",
    "getstore",
    "curl_exec",
    "file_get_contents",
    "axios",
    "https",
    "http",
    "request",
    "HTTP",
    "download",
    "wget",
    "curl",
    "aiohttp",
    "open_uri",
    "readLines",
];

/// Functions that make text of something unreadable.
pub(in crate::shell) const DECODING: &[&str] = &[
    "b64decode",
    "decode_base64",
    "base64_decode",
    "b32decode",
    "unhexlify",
    "fromhex",
    "atob",
    "decode64",
    "unpack",
    "decompress",
    "inflate",
    "gunzipSync",
    "gzinflate",
    "str_rot13",
    "fromCharCode",
    "loads",
    "a85decode",
    "b85decode",
    "strict_decode64",
    "urlsafe_b64decode",
    "Buffer",
    "chr",
    "codecs",
    "strrev",
    "reversed",
    "maketrans",
    "pack",
];

/// Functions that run text as code of their own language.
pub(in crate::shell) const RUNNING: &[&str] = &[
    "eval",
    "exec",
    "Function",
    "instance_eval",
    "runInThisContext",
    "execfile",
    "compile",
    "assert",
    "eval_string",
    "loadstring",
];

/// Languages in which text in backticks is a command; elsewhere it is only text.
pub(in crate::shell) const WITH_BACKTICKS: &[&str] = &["perl", "ruby", "php", "julia", "crystal"];
