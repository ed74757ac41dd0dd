//! The group of variables "objects": an S3-compatible store for files that do not change.

use url::Url;

use super::error::ConfigError;
use super::secret::Secret;
use super::source::Source;

/// What requests are signed for when SERVICE_OBJECTS_URL names no region: the region that stores of one's own accept.
const REGION: &str = "us-east-1";

/// Where the store is, and how it is asked.
#[derive(Debug, Clone)]
pub struct ObjectsConfig {
    /// SERVICE_OBJECTS_URL as it was set; it holds no secret.
    pub url: String,
    /// Scheme, host and port, without a trailing slash.
    pub endpoint: String,
    /// The bucket.
    pub bucket: String,
    /// What the names of all objects begin with: empty, or with a slash at its end.
    pub prefix: String,
    /// The region that requests are signed for.
    pub region: String,
    /// SERVICE_OBJECTS_ACCESS_KEY_ID.
    pub access_key_id: String,
    /// SERVICE_OBJECTS_SECRET_ACCESS_KEY.
    pub secret_access_key: Secret,
    /// SERVICE_OBJECTS_CACHE_MB, 4096, from 1: the bound of the copies in the data folder, in bytes.
    pub cache_bytes: u64,
}

impl ObjectsConfig {
    pub(super) fn parse(source: &mut Source) -> Result<Option<Self>, ConfigError> {
        let names = [
            "SERVICE_OBJECTS_URL",
            "SERVICE_OBJECTS_ACCESS_KEY_ID",
            "SERVICE_OBJECTS_SECRET_ACCESS_KEY",
        ];
        let has_cache = source.is_set("SERVICE_OBJECTS_CACHE_MB");
        let megabytes: u64 = source.number("SERVICE_OBJECTS_CACHE_MB")?;
        let Some([url, access_key_id, secret]) = source.group("objects", names)? else {
            return match has_cache {
                true => Err(ConfigError(format!(
                    "SERVICE_OBJECTS_URL is missing: SERVICE_OBJECTS_CACHE_MB belongs to the group \"objects\" ({})",
                    names.join(", ")
                ))),
                false => Ok(None),
            };
        };
        let place = place(url.trim()).ok_or_else(|| {
            ConfigError(
                "SERVICE_OBJECTS_URL is not the address of a bucket: it looks like http://127.0.0.1:8333/galley or \
                 https://s3.example.org/bucket/folder?region=eu-central-1, without a user or a password"
                    .to_owned(),
            )
        })?;
        Ok(Some(Self {
            url: url.trim().to_owned(),
            endpoint: place.endpoint,
            bucket: place.bucket,
            prefix: place.prefix,
            region: place.region,
            access_key_id: access_key_id.trim().to_owned(),
            secret_access_key: Secret::new(secret.trim().to_owned()),
            cache_bytes: megabytes.saturating_mul(1 << 20),
        }))
    }
}

struct Place {
    endpoint: String,
    bucket: String,
    prefix: String,
    region: String,
}

/// The parts of an address `http(s)://host[:port]/bucket[/folder…][?region=…]`.
fn place(text: &str) -> Option<Place> {
    let url = Url::parse(text).ok()?;
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.host().is_some()
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none();
    let mut query = url.query_pairs();
    let region = match (query.next(), query.next()) {
        (None, _) => REGION.to_owned(),
        (Some((name, region)), None) if name == "region" && is_word(&region) => region.into_owned(),
        _ => return None,
    };
    let mut parts = url.path_segments()?.collect::<Vec<_>>();
    // A slash at the end is as good as none.
    parts.pop_if(|last| last.is_empty());
    let (bucket, folders) = parts.split_first()?;
    // The rule of S3 for names of buckets.
    let is_bucket = (3..=63).contains(&bucket.len())
        && bucket
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte));
    if !is_plain || !is_bucket || !folders.iter().all(|part| is_word(part)) {
        return None;
    }
    Some(Place {
        endpoint: url[..url::Position::BeforePath].to_owned(),
        bucket: (*bucket).to_owned(),
        prefix: folders.iter().map(|part| format!("{part}/")).collect(),
        region,
    })
}

fn is_word(part: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_perhaps_a_folder() {
        let found = place("https://s3.example.org/our-files/a/b/?region=eu-central-1").unwrap();
        assert_eq!(found.endpoint, "https://s3.example.org");
        assert_eq!((&*found.bucket, &*found.prefix), ("our-files", "a/b/"));
        assert_eq!(found.region, "eu-central-1");
        let found = place("http://127.0.0.1:8333/galley").unwrap();
        assert_eq!(found.endpoint, "http://127.0.0.1:8333");
        assert_eq!((&*found.bucket, &*found.prefix, &*found.region), ("galley", "", REGION));
        for text in [
            "galley",
            "s3://galley/",
            "http://127.0.0.1:8333",
            "http://127.0.0.1:8333/",
            "http://127.0.0.1/Galley",
            "http://127.0.0.1/ab",
            "http://127.0.0.1/galley//x",
            "http://127.0.0.1/galley/a b",
            "http://ann:secret@127.0.0.1/galley",
            "http://127.0.0.1/galley?zone=x",
            "http://127.0.0.1/galley?region=a&region=b",
            "http://127.0.0.1/galley#x",
        ] {
            assert!(place(text).is_none(), "{text}");
        }
    }
}
