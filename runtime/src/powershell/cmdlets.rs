//! The cmdlets that guards ask about, a row each: their other names, their switches, and which parameters are paths.

/// A cmdlet.
#[derive(Debug)]
pub(super) struct Cmdlet {
    pub(super) name: &'static str,
    aliases: &'static [&'static str],
    switches: &'static [&'static str],
    /// Parameters whose values are places, in the order in which they may be given without a name.
    places: &'static [&'static str],
    /// Parameters with other values; those that may be given without a name come after the places.
    values: &'static [&'static str],
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameter {
    Switch(&'static str),
    Place(&'static str),
    Value(&'static str),
}

const COMMON: &[&str] = &["Verbose", "Debug", "WhatIf", "Confirm", "Force", "PassThru"];
const COMMON_VALUES: &[&str] = &["ErrorAction", "WarningAction", "ErrorVariable", "OutVariable", "Credential"];

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    switches: &'static [&'static str],
    places: &'static [&'static str],
    values: &'static [&'static str],
) -> Cmdlet {
    Cmdlet { name, aliases, switches, places, values }
}

const CMDLETS: &[Cmdlet] = &[
    row(
        "Remove-Item",
        &["ri", "rm", "rmdir", "rd", "del", "erase"],
        &["Recurse"],
        &["Path", "LiteralPath"],
        &["Filter", "Include", "Exclude", "Stream"],
    ),
    row("Clear-Content", &["clc"], &[], &["Path", "LiteralPath"], &["Filter", "Include", "Exclude", "Stream"]),
    row(
        "Copy-Item",
        &["cp", "copy", "cpi"],
        &["Recurse", "Container"],
        &["Path", "LiteralPath", "Destination"],
        &["Filter", "Include", "Exclude", "ToSession", "FromSession"],
    ),
    row(
        "Move-Item",
        &["mv", "move", "mi"],
        &[],
        &["Path", "LiteralPath", "Destination"],
        &["Filter", "Include", "Exclude"],
    ),
    row("Rename-Item", &["ren", "rni"], &[], &["Path", "LiteralPath", "NewName"], &[]),
    row("New-Item", &["ni"], &[], &["Path", "Target"], &["ItemType", "Name", "Value"]),
    row(
        "Set-Content",
        &["sc"],
        &["NoNewline", "AsByteStream"],
        &["Path", "LiteralPath"],
        &["Value", "Encoding", "Stream", "Filter", "Include", "Exclude"],
    ),
    row(
        "Add-Content",
        &["ac"],
        &["NoNewline", "AsByteStream"],
        &["Path", "LiteralPath"],
        &["Value", "Encoding", "Stream", "Filter", "Include", "Exclude"],
    ),
    row(
        "Out-File",
        &[],
        &["Append", "NoClobber", "NoNewline"],
        &["FilePath", "LiteralPath"],
        &["Encoding", "InputObject", "Width"],
    ),
    row("Tee-Object", &["tee"], &["Append"], &["FilePath", "LiteralPath"], &["Variable", "InputObject", "Encoding"]),
    row(
        "Get-Content",
        &["gc", "cat", "type"],
        &["Raw", "Wait", "AsByteStream"],
        &["Path", "LiteralPath"],
        &["TotalCount", "Tail", "Encoding", "Filter", "Include", "Exclude", "ReadCount", "Delimiter", "Stream"],
    ),
    row(
        "Get-ChildItem",
        &["gci", "ls", "dir"],
        &["Recurse", "File", "Directory", "Name", "Hidden", "ReadOnly", "System", "FollowSymlink"],
        &["Path", "LiteralPath"],
        &["Filter", "Include", "Exclude", "Depth", "Attributes"],
    ),
    row("Get-Item", &["gi"], &[], &["Path", "LiteralPath"], &["Filter", "Include", "Exclude", "Stream"]),
    row("Set-Location", &["cd", "sl", "chdir"], &[], &["Path", "LiteralPath"], &["StackName"]),
    row("Push-Location", &["pushd"], &[], &["Path", "LiteralPath"], &["StackName"]),
    row(
        "Invoke-WebRequest",
        &["iwr"],
        &["UseBasicParsing", "UseDefaultCredentials", "SkipCertificateCheck", "Resume"],
        &["OutFile", "InFile"],
        &[
            "Uri",
            "Method",
            "Headers",
            "Body",
            "ContentType",
            "UserAgent",
            "TimeoutSec",
            "WebSession",
            "SessionVariable",
        ],
    ),
    row(
        "Invoke-RestMethod",
        &["irm"],
        &["UseBasicParsing", "UseDefaultCredentials", "SkipCertificateCheck"],
        &["OutFile", "InFile"],
        &[
            "Uri",
            "Method",
            "Headers",
            "Body",
            "ContentType",
            "UserAgent",
            "TimeoutSec",
            "WebSession",
            "SessionVariable",
        ],
    ),
    row("Start-BitsTransfer", &[], &["Asynchronous"], &["Destination"], &["Source", "DisplayName", "Priority"]),
    row("Expand-Archive", &[], &[], &["Path", "LiteralPath", "DestinationPath"], &[]),
    row("Invoke-Expression", &["iex"], &[], &[], &["Command"]),
    row(
        "Format-Volume",
        &[],
        &["Full", "Compress"],
        &[],
        &["DriveLetter", "FileSystem", "NewFileSystemLabel", "Path", "FileSystemLabel", "Partition", "ObjectId"],
    ),
    row("Clear-Disk", &[], &["RemoveData", "RemoveOEM"], &[], &["Number", "FriendlyName", "UniqueId", "Path"]),
    row("Initialize-Disk", &[], &[], &[], &["Number", "PartitionStyle", "FriendlyName", "UniqueId", "Path"]),
    row("Remove-Partition", &[], &[], &[], &["DiskNumber", "PartitionNumber", "DriveLetter", "DiskId", "Offset"]),
    row(
        "Start-Process",
        &["start", "saps"],
        &["Wait", "NoNewWindow"],
        &["FilePath"],
        &["ArgumentList", "Verb", "WindowStyle", "WorkingDirectory"],
    ),
    row("Set-Acl", &[], &[], &["Path", "LiteralPath"], &["AclObject"]),
    row("ForEach-Object", &["%", "foreach"], &["Parallel"], &[], &["Process", "Begin", "End", "ThrottleLimit"]),
    row("Where-Object", &["?", "where"], &[], &[], &["FilterScript", "Property", "Value"]),
    row("Invoke-Command", &["icm"], &["AsJob"], &[], &["ScriptBlock", "ComputerName", "ArgumentList", "Session"]),
    row("Write-Output", &["echo", "write"], &["NoEnumerate"], &[], &["InputObject"]),
];

/// The cmdlet of that name, by any of its names; a module may stand before it.
pub(super) fn named(name: &str) -> Option<&'static Cmdlet> {
    let bare = name.rsplit(['\\', '/']).next().unwrap_or(name);
    let is = |known: &&str| known.eq_ignore_ascii_case(bare);
    CMDLETS.iter().find(|cmdlet| is(&cmdlet.name) || cmdlet.aliases.iter().any(is))
}

impl Cmdlet {
    /// Whether the word is a name of programs on other systems too.
    pub(super) fn is_called_alike(&self, word: &str) -> bool {
        !word.contains('-') && !self.name.eq_ignore_ascii_case(word)
    }

    /// The parameter that begins so; of several, the one that does more harm.
    pub(super) fn parameter(&self, written: &str) -> Option<Parameter> {
        let written = written.to_ascii_lowercase();
        match written.as_str() {
            "ea" | "wa" | "ev" | "ov" => return Some(Parameter::Value("ErrorAction")),
            "wi" => return Some(Parameter::Switch("WhatIf")),
            "cf" => return Some(Parameter::Switch("Confirm")),
            _ => {}
        }
        let begins = |name: &&&'static str| !written.is_empty() && name.to_ascii_lowercase().starts_with(&written);
        let exact = |name: &&&'static str| name.eq_ignore_ascii_case(&written);
        let switches = || self.switches.iter().chain(COMMON);
        let values = || self.values.iter().chain(COMMON_VALUES);
        let find = |fits: &dyn Fn(&&&'static str) -> bool| {
            let switch = switches().find(|name| fits(name)).map(|name| Parameter::Switch(name));
            let place = || self.places.iter().find(|name| fits(name)).map(|name| Parameter::Place(name));
            let value = || values().find(|name| fits(name)).map(|name| Parameter::Value(name));
            switch.or_else(place).or_else(value)
        };
        find(&exact).or_else(|| find(&begins))
    }

    /// Whether what is given without a name is a place.
    pub(super) fn takes_places(&self) -> bool {
        !self.places.is_empty()
            && !matches!(self.name, "Invoke-WebRequest" | "Invoke-RestMethod" | "Start-BitsTransfer")
    }

    /// How many places may be given without a name.
    pub(super) fn unnamed_places(&self) -> usize {
        let named_alike = usize::from(self.places.contains(&"LiteralPath"));
        if self.takes_places() { self.places.len() - named_alike } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_are_found_in_any_case_and_length() {
        let removal = named("RI").expect("known");
        assert_eq!(removal.name, "Remove-Item");
        assert_eq!(named(r"Microsoft.PowerShell.Management\remove-item").map(|it| it.name), Some("Remove-Item"));
        assert_eq!(removal.parameter("r"), Some(Parameter::Switch("Recurse")));
        assert_eq!(removal.parameter("fo"), Some(Parameter::Switch("Force")));
        assert_eq!(removal.parameter("lit"), Some(Parameter::Place("LiteralPath")));
        assert_eq!(removal.parameter("ea"), Some(Parameter::Value("ErrorAction")));
        assert_eq!(removal.parameter("rf"), None);
        assert!(removal.is_called_alike("rm") && !removal.is_called_alike("Remove-Item"));
        assert!(named("git").is_none());
    }
}
