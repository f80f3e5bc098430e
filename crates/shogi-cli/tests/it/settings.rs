//! The settings of a task, read from its request, as the other programs write them.
//!
//! The request says everything of a setting: its name, its type, its default and its help. Python, npm and the page of the
//! explorer say the same in their own words, which are written from it: see `doors.rs`.

use std::any::TypeId;
use std::time::Duration;

use clap::{Arg, ArgAction, Args, Command};
use serde_json::{Value, json};

/// A setting of a task.
pub struct Setting {
    /// Its name in requests.
    pub name: String,
    kind: Kind,
    /// Its default on the command line, if it has one.
    default: Option<String>,
    /// Its meaning, in sentences.
    help: String,
}

/// The type of a setting.
enum Kind {
    Flag,
    Whole(&'static str),
    Seconds,
    Name(Vec<String>),
    Text,
}

/// The particulars of a setting in one program.
pub struct Particular {
    /// The setting.
    pub setting: &'static str,
    /// Its name, if it has another one there.
    pub name: Option<&'static str>,
    /// In Python its default, if it has another one there; in TypeScript what is to be added to its meaning; in a table of
    /// the explorer its bound.
    pub note: Option<&'static str>,
}

impl Particular {
    /// A setting with such a note.
    pub const fn note(setting: &'static str, note: &'static str) -> Self {
        Self { setting, name: None, note: Some(note) }
    }

    /// A setting with another name.
    pub const fn name(setting: &'static str, name: &'static str) -> Self {
        Self { setting, name: Some(name), note: None }
    }
}

/// The settings of a task.
pub fn settings<T: Args>() -> Vec<Setting> {
    let command = T::augment_args(Command::new("task"));
    command.get_arguments().map(Setting::new).collect()
}

impl Setting {
    fn new(arg: &Arg) -> Self {
        let names = arg.get_possible_values();
        let names = names.iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>();
        let kind = match arg.get_value_parser().type_id() {
            _ if matches!(arg.get_action(), ArgAction::SetTrue) => Kind::Flag,
            _ if !names.is_empty() => Kind::Name(names),
            id if id == TypeId::of::<Duration>() => Kind::Seconds,
            id if id == TypeId::of::<String>() => Kind::Text,
            id if id == TypeId::of::<u64>() => Kind::Whole("u64"),
            id if id == TypeId::of::<u32>() => Kind::Whole("u32"),
            id if id == TypeId::of::<usize>() => Kind::Whole("usize"),
            _ => panic!("add the type of {} to this function", arg.get_id()),
        };
        let flag = matches!(kind, Kind::Flag);
        let default = arg.get_default_values().first().filter(|_| !flag);
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.split(" [default:").next().unwrap_or_default();
        Self {
            name: arg.get_id().to_string(),
            kind,
            default: default.map(|default| default.to_string_lossy().into_owned()),
            help: format!("{}.", in_requests(help).trim_end_matches('.')),
        }
    }

    /// A value for a request in JSON, which says what is so without it, within a thousand nodes.
    pub fn sample(&self) -> Value {
        match &self.kind {
            Kind::Flag => json!(false),
            Kind::Whole(_) if self.default.is_none() => json!(10_000),
            Kind::Whole(_) => json!(1),
            Kind::Seconds => json!(9.5),
            Kind::Name(names) => json!(names[0]),
            Kind::Text => Value::Null,
        }
    }

    fn of<'a>(&self, particulars: &'a [Particular]) -> Option<&'a Particular> {
        particulars.iter().find(|one| one.setting == self.name)
    }

    /// The name in a program.
    fn called<'a>(&'a self, particulars: &'a [Particular]) -> &'a str {
        self.of(particulars).and_then(|one| one.name).unwrap_or(&self.name)
    }

    /// The default in a program, as Rust, Python and TypeScript write it.
    fn default(&self, particulars: &[Particular], [no, none]: [&str; 2]) -> String {
        let own = self.of(particulars).and_then(|one| one.note).or(self.default.as_deref());
        match (&self.kind, own) {
            (Kind::Flag, _) => no.to_owned(),
            (_, None) => none.to_owned(),
            (Kind::Name(_), Some(name)) => format!("{name:?}"),
            (_, Some(number)) => grouped(number),
        }
    }

    /// The default in a signature of `pyo3`.
    pub fn signature(&self, particulars: &[Particular]) -> String {
        let name = self.called(particulars);
        format!("{name} = {}", self.default(particulars, ["false", "None"]))
    }

    /// The parameter of a function in Rust that Python calls.
    pub fn parameter(&self, particulars: &[Particular]) -> String {
        let name = self.called(particulars);
        match self.kind {
            Kind::Flag => format!("    {name}: bool,\n"),
            Kind::Seconds => format!("    {name}: Option<f64>,\n"),
            Kind::Name(_) => format!("    {name}: &str,\n"),
            Kind::Text => format!("    {name}: Option<String>,\n"),
            Kind::Whole(of) => {
                let of =
                    if self.default.is_none() { format!("Option<{of}>") } else { of.to_owned() };
                format!("    #[pyo3(from_py_with = limits::{name})] {name}: {of},\n")
            }
        }
    }

    /// The field of the request in Rust, of such a parameter.
    pub fn field(&self, particulars: &[Particular]) -> String {
        let (name, called) = (&self.name, self.called(particulars));
        match self.kind {
            Kind::Seconds => format!("{name}: time({called})?"),
            Kind::Name(_) => format!("{name}: of_name({called})?"),
            _ if name == called => name.clone(),
            _ => format!("{name}: {called}"),
        }
    }

    /// The line of a list in a docstring of Rust.
    pub fn docstring(&self, particulars: &[Particular]) -> String {
        format!("/// - `{}`: {}\n", self.called(particulars), self.help)
    }

    /// The parameter in Python's stubs, with these names for the types that are one of several names.
    pub fn stub(&self, particulars: &[Particular], types: &[(&str, &str)]) -> String {
        let (name, default) =
            (self.called(particulars), self.default(particulars, ["False", "None"]));
        let of = match &self.kind {
            Kind::Flag => "bool",
            Kind::Whole(_) => "int",
            Kind::Seconds => "float",
            Kind::Text => "str",
            Kind::Name(_) => types.iter().find(|(one, _)| one == &self.name).expect("a type").1,
        };
        let optional = if default == "None" { " | None" } else { "" };
        format!("    {name}: {of}{optional} = {default},\n")
    }

    /// The field of an interface in TypeScript.
    pub fn typescript(&self, particulars: &[Particular]) -> String {
        let own = self.of(particulars).and_then(|one| one.note);
        let own = own.map_or(String::new(), |own| format!(" {own}"));
        let of = match &self.kind {
            Kind::Flag => "boolean".to_owned(),
            Kind::Whole(_) | Kind::Seconds => "number".to_owned(),
            Kind::Text => "string".to_owned(),
            Kind::Name(names) => {
                names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" | ")
            }
        };
        format!("  /** {}{own} */\n  {}?: {of};\n", self.help, self.name)
    }

    /// The name in a table of the explorer's questions, with its bound.
    pub fn question(&self, particulars: &[Particular]) -> String {
        let unit = if matches!(self.kind, Kind::Seconds) { " in seconds" } else { "" };
        let bound = self.of(particulars).and_then(|one| one.note);
        let bound = bound.map_or(String::new(), |bound| format!(" ({bound})"));
        format!("`{}`{unit}{bound}", self.name)
    }
}

/// Phrases of help about the command line alone, and their replacements.
const OF_THE_COMMAND_LINE: [(&str, &str); 5] = [
    (", such as 10, 2.5s or 5m", " in seconds"),
    (", all runs from a checkpoint together, in seconds or as in 5m or 2h", " in seconds"),
    (", all runs from a checkpoint together, such as 5e8", ""),
    (" A checkpoint grows up to the size of the tables", ""),
    (
        ", the program itself included, which takes up to 10; as many positions as there are threads are searched at \
         the same time",
        "",
    ),
];

/// Help in which each option of the command line is a field.
fn in_requests(help: &str) -> String {
    let of_requests = |help: String, (from, to): &(&str, &str)| help.replace(from, to);
    let help = OF_THE_COMMAND_LINE.iter().fold(help.to_owned(), of_requests);
    let mut words = Vec::new();
    for word in help.split(' ') {
        words.push(match word.strip_prefix("--") {
            None => word.to_owned(),
            Some(option) => {
                let end = option.trim_end_matches(|c: char| !c.is_alphanumeric());
                format!("`{}`{}", end.replace('-', "_"), &option[end.len()..])
            }
        });
    }
    words.join(" ")
}

/// A whole number as programs write it: `4_000_000` for `4e6`; other text stays.
fn grouped(number: &str) -> String {
    let Ok(value) = number.parse::<f64>() else { return number.to_owned() };
    let digits = value.to_string();
    let places = digits.char_indices();
    let marked = places.map(|(at, digit)| match at > 0 && (digits.len() - at).is_multiple_of(3) {
        true => format!("_{digit}"),
        false => digit.to_string(),
    });
    marked.collect()
}

/// A literal of a struct in Rust, on one line where `rustfmt` leaves it there.
pub fn literal(name: &str, fields: &[String]) -> String {
    let line = format!("    let task = {name} {{ {} }};\n", fields.join(", "));
    if line.trim_end().len() <= 100 {
        return line;
    }
    let fields = fields.iter().map(|field| format!("        {field},\n"));
    format!("    let task = {name} {{\n{}    }};\n", fields.collect::<String>())
}
