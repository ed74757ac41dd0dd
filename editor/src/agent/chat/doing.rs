//! Who does a turn, and judges it afterwards: a provider, or the vendor's program.

use std::path::PathBuf;
use std::sync::Arc;

use super::run::{self, Ended};
use super::subscription::{self, Subscription};
use super::turn::{FailedBy, TurnFailure};
use super::work::Work;
use crate::agent::question::Model;
use crate::agent::vendor;
use crate::models::{Access, Client, Message};

/// Who it is.
pub(super) enum Doing {
    Provider(Box<Client>),
    Program {
        program: PathBuf,
        /// The model, where the user named one.
        model: Option<String>,
        /// What the turn may cost.
        budget: Option<f64>,
    },
}

impl Doing {
    /// A provider, with its key.
    pub(super) fn by_provider(work: &Work, access: Access) -> Result<Doing, TurnFailure> {
        let client = Client::new(access, work.secrets.clone());
        let failed = |error| run::failed(FailedBy::Provider, &format!("The provider cannot be asked: {error}"));
        client.map(|client| Doing::Provider(Box::new(client))).map_err(failed)
    }

    /// The vendor's program, with the sign-in that the user has in it.
    pub(super) fn by_program(work: &Work, access: Access) -> Result<Doing, TurnFailure> {
        let Some(program) = vendor::find(|name| std::env::var_os(name)) else {
            return Err(TurnFailure {
                subscription: true,
                ..run::failed(FailedBy::Provider, &vendor::missing())
            });
        };
        let shown = work.session.shown();
        Ok(Doing::Program {
            program,
            model: access.model.filter(|_| access.model_by_environment),
            budget: shown.ceiling_usd.map(|ceiling| (ceiling - shown.cost.usd).max(0.01)),
        })
    }

    /// Runs a turn to its end.
    pub(super) async fn run(&self, work: &Arc<Work>, before: Vec<Message>, asked: Message) -> Ended {
        match self {
            Doing::Provider(client) => {
                let web_search = work.settings.web.as_ref().is_ok_and(|web| web.search);
                run::run(work, client, before, asked, web_search, &work.stop).await
            }
            Doing::Program { program, model, budget } => {
                subscription::say_what_is_missing(work);
                let by = Subscription {
                    program,
                    model: model.as_deref(),
                    budget: *budget,
                };
                subscription::run(work, &by, &before, asked, &work.stop).await
            }
        }
    }

    /// The same, for a question about the turn.
    pub(super) fn model<'d>(&'d self, work: &'d Work) -> Model<'d> {
        match self {
            Doing::Provider(client) => Model::Provider(client),
            Doing::Program { program, model, .. } => Model::Program {
                program,
                model: model.as_deref(),
                secrets: &work.secrets,
            },
        }
    }
}
