//! Claims: the code that sets an account's password, and its use [O7a].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::secret::Secret;

/// A new claim. Its code is shown this once, is good once, and ends the one before.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClaimMade {
    #[schema(value_type = String)]
    pub code: Secret,
    /// Whose account it is.
    pub handle: String,
    /// Where whoever takes it is signed in.
    pub workspace: String,
    pub expires_at: String,
}

/// Sets the password of the account that the code is for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeClaim {
    #[schema(value_type = String)]
    pub code: Secret,
    /// 10 to 256 characters.
    #[schema(value_type = String)]
    pub password: Secret,
}
