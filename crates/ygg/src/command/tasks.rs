//! `ygg tasks`: an agent's own tasklist. Every action answers with the whole list.

use clap::{Args, Subcommand};
use ygg_wire::task::{TaskAction, TaskView};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::output::{one_line, table};

#[derive(Args)]
pub struct Tasks {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the tasks
    List,
    /// Add a task
    Add {
        text: String,
        #[command(flatten)]
        about: About,
    },
    /// Change a task; what is left out stays
    Update {
        id: String,
        #[arg(long)]
        text: Option<String>,
        #[command(flatten)]
        about: About,
    },
    /// Remove a task
    Remove { id: String },
    /// Put tasks first, in this order
    Reorder {
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

#[derive(Args)]
struct About {
    /// How far it is
    #[arg(long, value_parser = ["todo", "doing", "done"])]
    status: Option<String>,
    /// The topic it belongs to
    #[arg(long, value_name = "ID")]
    topic: Option<String>,
}

impl Tasks {
    pub async fn run(self, global: &Global) -> Outcome {
        let action = match self.what.unwrap_or(What::List) {
            What::List => TaskAction::List {},
            What::Add { text, about } => {
                TaskAction::Add { text, status: about.status, topic_id: about.topic }
            }
            What::Update { id, text, about } => {
                TaskAction::Update { id, text, status: about.status, topic_id: about.topic }
            }
            What::Remove { id } => TaskAction::Remove { id },
            What::Reorder { ids } => TaskAction::Reorder { order: ids },
        };
        let tasks = identity::client(global)?.tasks(&action).await?;
        global.output.give(&tasks, || {
            if tasks.is_empty() {
                "Nothing to do.".to_owned()
            } else {
                table(&tasks.iter().map(row).collect::<Vec<_>>())
            }
        })
    }
}

fn row(task: &TaskView) -> Vec<String> {
    vec![
        task.id.clone(),
        task.status.clone(),
        one_line(&task.text),
        task.topic_id.clone().unwrap_or_default(),
    ]
}
