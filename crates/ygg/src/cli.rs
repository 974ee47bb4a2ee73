//! The command line: what there is to say to `ygg`, and the flags that mean the same everywhere.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::command;
use crate::failure::Outcome;
use crate::identity::variable;
use crate::output::Output;
use crate::places::{CONFIG_VARIABLE, DATA_VARIABLE, Places};

/// Agents and people working together: agents propose, the backend decides
#[derive(Parser)]
#[command(name = "ygg", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
#[command(next_help_heading = "For every command")]
struct Flags {
    /// Print JSON, one document per line; errors as well
    #[arg(long, global = true)]
    json: bool,
    /// Print only what was asked for
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Call as this profile [else: YGG_KEY, then the owner of this machine's server]
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
    /// The server [default: the profile's, or http://127.0.0.1:7411]
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    /// The workspace [default: the profile's, or main]
    #[arg(long, global = true, value_name = "NAME")]
    workspace: Option<String>,
    /// Where a server keeps its data [env: YGG_DATA, default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where profiles are kept [env: YGG_CONFIG, default: the platform's configuration folder]
    #[arg(long, global = true, value_name = "DIR")]
    config: Option<PathBuf>,
}

/// What every command may look at.
pub struct Global {
    pub output: Output,
    pub profile: Option<String>,
    pub url: Option<String>,
    pub workspace: Option<String>,
    pub places: Places,
}

impl From<Flags> for Global {
    fn from(flags: Flags) -> Self {
        // Whole paths, because they are shown to be used from elsewhere.
        let folder = |named: Option<PathBuf>, name| {
            let named = named.or_else(|| variable(name).map(PathBuf::from))?;
            Some(std::path::absolute(&named).unwrap_or(named))
        };
        Self {
            output: Output { json: flags.json, quiet: flags.quiet },
            profile: flags.profile,
            url: flags.url,
            workspace: flags.workspace,
            places: Places {
                data: folder(flags.data, DATA_VARIABLE),
                config: folder(flags.config, CONFIG_VARIABLE),
            },
        }
    }
}

#[derive(Subcommand)]
enum Command {
    /// Run a server on this machine, with a workspace ready to use
    Up(command::up::Up),
    /// Run a server as a deployment needs it
    Serve(command::serve::Serve),
    /// See two agents work together, and what is refused
    Demo(command::demo::Demo),
    /// Send a message
    Send(command::send::Send),
    /// Read your inbox; reading consumes
    Inbox(command::inbox::Inbox),
    /// List topics; show, close or retitle one
    Topics(command::topics::Topics),
    /// Find messages, topics and names by their words
    Search(command::search::Search),
    /// Take a message's words and files out for good, as when a secret was pasted
    Redact(command::redact::Redact),
    /// Bring files to be sent, and fetch those that messages carry
    Files(command::files::Files),
    /// Read conversations, topics and messages back
    Conversation(command::conversation::Conversation),
    /// See why a message did what it did, rule by rule
    Why(command::why::Why),
    /// Who is in the workspace
    Directory(command::directory::Directory),
    /// Who you are, where, and what stands open for you
    Me(command::me::Me),
    /// See what waits for you: questions, lacking credits, topics about to close
    NeedsYou,
    /// Say where you are told outside of Ygg what needs you
    Notify(command::notify::Notify),
    /// List, add, edit, pause and remove agents
    Agents(command::agents::Agents),
    /// List and invite people, change roles, remove somebody
    People(command::people::People),
    /// List and set groups of agents
    Groups(command::groups::Groups),
    /// Make rooms of chosen participants
    Rooms(command::rooms::Rooms),
    /// List, make and revoke keys
    Keys(command::keys::Keys),
    /// See and hand out credits
    Credits(command::credits::Credits),
    /// See what people decided, and what was refused
    Audit(command::audit::Audit),
    /// An agent's own tasklist
    Tasks(command::tasks::Tasks),
    /// Set the password of the account that a claim link is for
    Claim(command::claim::Claim),
    /// List, make and delete the workspaces of the server on this machine
    Workspaces(command::workspaces::Workspaces),
    /// Run scenario files
    Scenario(command::scenario::Scenario),
    /// Speak MCP on standard input and output as an agent
    Mcp(command::mcp::Mcp),
    /// Print the completions for a shell
    Completions(command::completions::Completions),
    /// An agent of the demonstration
    #[command(hide = true)]
    DemoAgent(command::demo_agent::DemoAgent),
}

impl Cli {
    /// The command, ready to be run, and how it is to print.
    pub fn split(self) -> (Output, impl Future<Output = Outcome>) {
        let global = Global::from(self.flags);
        (global.output, self.command.run(global))
    }
}

impl Command {
    async fn run(self, global: Global) -> Outcome {
        match self {
            Self::Up(command) => command.run(&global).await,
            Self::Serve(command) => command.run(&global).await,
            Self::Demo(command) => command.run(&global).await,
            Self::Send(command) => command.run(&global).await,
            Self::Inbox(command) => command.run(&global).await,
            Self::Topics(command) => command.run(&global).await,
            Self::Search(command) => command.run(&global).await,
            Self::Redact(command) => command.run(&global).await,
            Self::Files(command) => command.run(&global).await,
            Self::Conversation(command) => command.run(&global).await,
            Self::Why(command) => command.run(&global).await,
            Self::Directory(command) => command.run(&global).await,
            Self::Me(command) => command.run(&global).await,
            Self::NeedsYou => command::needs_you::run(&global).await,
            Self::Notify(command) => command.run(&global).await,
            Self::Agents(command) => command.run(&global).await,
            Self::People(command) => command.run(&global).await,
            Self::Groups(command) => command.run(&global).await,
            Self::Rooms(command) => command.run(&global).await,
            Self::Keys(command) => command.run(&global).await,
            Self::Credits(command) => command.run(&global).await,
            Self::Audit(command) => command.run(&global).await,
            Self::Tasks(command) => command.run(&global).await,
            Self::Claim(command) => command.run(&global).await,
            Self::Workspaces(command) => command.run(&global).await,
            Self::Scenario(command) => command.run(&global).await,
            Self::Mcp(command) => command.run(&global).await,
            Self::Completions(command) => command.run(),
            Self::DemoAgent(command) => command.run(&global).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    /// What a page tells a reader to type has to be there. Paragraphs in italics say what is not built yet.
    #[test]
    fn pages_of_errors_name_commands_that_there_are() {
        use clap::CommandFactory;
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors");
        let mut named = 0;
        for file in std::fs::read_dir(folder).expect("docs/errors") {
            let path = file.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a page");
            for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.starts_with("*Not built yet")) {
                let spans = paragraph.split('`').skip(1).step_by(2);
                for command in spans.filter_map(|span| span.strip_prefix("ygg ")) {
                    named += 1;
                    let mut at = Cli::command();
                    for word in command.split_whitespace() {
                        let found = at.find_subcommand(word).cloned();
                        at = found
                            .unwrap_or_else(|| panic!("{}: there is no `ygg {command}`", path.display()));
                    }
                }
            }
        }
        assert!(named > 0, "some page names a command");
    }
}
