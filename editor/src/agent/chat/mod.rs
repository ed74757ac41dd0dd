//! Sessions of the chat: what was said and done, on disk and as pages see it, and the turns that go on in them.

mod chats;
mod desk;
mod doing;
mod eyes;
mod fence;
mod file;
mod hands;
mod judge;
mod proposing;
mod run;
mod servers;
mod session;
mod state;
mod stream;
mod subscription;
mod talk;
mod toolbox;
mod turn;
mod work;

pub use chats::{Asked, Chats, NotBegun, Setup, is_id};
pub use desk::Desk;
pub use session::Session;
pub use state::Shown;
pub use stream::Told;
pub use turn::{Chip, Choice, Turn};
