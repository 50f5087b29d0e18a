//! Who is at work, and on which machine.

use crate::call::Call;
use crate::log;
use crate::signature::function;

/// The user's name; empty where nobody tells.
pub fn machine_user(call: &Call<'_>) -> String {
    log::user(call.store().folder())
}

/// The machine's name; empty where nobody tells.
pub fn machine_host(_call: &Call<'_>) -> String {
    log::host()
}

function! {
    USER: machine_user,
    name: "machine.user",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The name of the user whom the hook runs as, by the system's own word, and by the environment only where the system \
           does not tell. Empty where nobody does.",
    example: "machine.user == machine.user.trim()",
}

function! {
    HOST: machine_host,
    name: "machine.host",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The name of the machine, by the system's own word, and by the environment only where the system does not tell. Empty \
           where nobody does.",
    example: "!machine.host.contains(' ')",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_names_its_user_and_itself() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let named = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
        assert_eq!(machine_host(&call), named.trim());
        assert!(!machine_user(&call).contains([':', '\n']));
    }
}
