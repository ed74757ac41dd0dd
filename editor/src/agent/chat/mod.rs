//! Sessions of the chat: what was said and done, on disk and as pages see it, and the turns that go on in them.

mod camera;
mod chats;
mod desk;
mod doing;
mod eyes;
mod file;
mod hands;
mod judge;
mod pictures;
mod proposing;
mod run;
mod servers;
mod session;
mod state;
mod stream;
mod subject;
mod subscription;
mod talk;
mod toolbox;
mod turn;
mod work;

pub use chats::{Asked, Chats, NotBegun, Setup};
pub use desk::{Desk, Unmade};
pub use session::Session;
pub use state::Shown;
pub use stream::Told;
pub use turn::{Chip, Choice, Turn, is_id};
