//! Is this a supported repository, in a fit state?
