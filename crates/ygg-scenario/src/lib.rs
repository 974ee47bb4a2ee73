//! Surface: REST, server-sent events, OpenAPI.
