//! Uploads of large objects, part by part. Completing one, and listing those that did not end, are requests of our own:
//! `object_store` completes over whatever has the name, and lists none.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, header};
use object_store::aws::{AmazonS3, AwsAuthorizer, AwsCredential};
use object_store::client::{HttpRequest, HttpService};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as Key;
use object_store::{PutPayload, client::HttpRequestBody};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::error::ObjectError;
use super::transport::Transport;
use crate::config::ObjectsConfig;

/// Bytes of a part, but of the last, which has the trailer too.
pub(super) const PART: u64 = 8 << 20;
/// The most bytes of an answer that is read.
const MAX_ANSWER: usize = 16 << 20;

/// An upload that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    key: Key,
    id: String,
}

/// One that did not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The upload.
    pub upload: Upload,
    /// When it began, by the store's clock, in milliseconds since 1970.
    pub begun: i64,
}

/// What signs a request and sends it.
pub(super) struct Signing {
    credential: AwsCredential,
    region: String,
    /// The bucket's address.
    base: String,
    transport: Transport,
}

pub(super) async fn begin(store: Arc<AmazonS3>, key: Key) -> Result<Upload, ObjectError> {
    let id = store.create_multipart(&key).await?;
    Ok(Upload { key, id })
}

pub(super) async fn send(
    store: Arc<AmazonS3>,
    upload: Upload,
    index: usize,
    bytes: Bytes,
) -> Result<PartId, ObjectError> {
    let sent = store.put_part(&upload.key, &upload.id, index, PutPayload::from(bytes));
    Ok(sent.await?)
}

/// Makes the parts an object, unless there is one of this name.
pub(super) async fn complete(signing: Signing, upload: Upload, parts: Vec<PartId>) -> Result<(), ObjectError> {
    let body = Complete {
        parts: parts
            .into_iter()
            .zip(1..)
            .map(|(part, number)| Part {
                number,
                tag: part.content_id,
            })
            .collect(),
    };
    let body = quick_xml::se::to_string(&body).map_err(|error| ObjectError::Away(error.to_string()))?;
    let id = form(&upload.id);
    let mut request = signing.request(Method::POST, &format!("/{}?uploadId={id}", upload.key), body)?;
    let any = HeaderValue::from_static("*");
    request.headers_mut().insert(header::IF_NONE_MATCH, any);
    let (status, answer) = signing.send(request).await?;
    match status {
        StatusCode::PRECONDITION_FAILED | StatusCode::CONFLICT => Err(ObjectError::Exists),
        // A store that takes long to put the parts together begins with a 200 and may say afterwards that it failed.
        status if !status.is_success() || answer.contains("<Error>") => Err(refused(status, &answer)),
        _ => Ok(()),
    }
}

/// Removes the parts; an upload that is gone is fine.
pub(super) async fn abandon(store: Arc<AmazonS3>, upload: Upload) -> Result<(), ObjectError> {
    match store.abort_multipart(&upload.key, &upload.id).await {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        abandoned => Ok(abandoned?),
    }
}

/// The uploads below a prefix that did not end; the first thousand, or what the store takes for a page.
pub(super) async fn list(signing: Signing, prefix: String) -> Result<Vec<Unfinished>, ObjectError> {
    let query = format!("?prefix={}&uploads=", form(&prefix));
    let request = signing.request(Method::GET, &query, String::new())?;
    let (status, answer) = signing.send(request).await?;
    if !status.is_success() {
        return Err(refused(status, &answer));
    }
    let page: Page = quick_xml::de::from_str(&answer)
        .map_err(|error| ObjectError::Away(format!("its list of uploads cannot be read: {error}")))?;
    let uploads = page.uploads.into_iter().filter_map(|listed| {
        let begun = OffsetDateTime::parse(&listed.initiated, &Rfc3339).ok()?;
        Some(Unfinished {
            upload: Upload {
                key: Key::parse(listed.key).ok()?,
                id: listed.id,
            },
            begun: begun.unix_timestamp() * 1000,
        })
    });
    Ok(uploads.collect())
}

impl Signing {
    pub fn new(config: &ObjectsConfig, transport: Transport) -> Self {
        Self {
            credential: AwsCredential {
                key_id: config.access_key_id.clone(),
                secret_key: config.secret_access_key.expose().to_owned(),
                token: None,
            },
            region: config.region.clone(),
            base: format!("{}/{}", config.endpoint, config.bucket),
            transport,
        }
    }

    fn request(&self, method: Method, path: &str, body: String) -> Result<HttpRequest, ObjectError> {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let unusable = |error: http::Error| ObjectError::Away(error.to_string());
        request.body(HttpRequestBody::from(body)).map_err(unusable)
    }

    async fn send(&self, mut request: HttpRequest) -> Result<(StatusCode, String), ObjectError> {
        AwsAuthorizer::new(&self.credential, "s3", &self.region).try_authorize(&mut request, None)?;
        let away = |error: object_store::client::HttpError| ObjectError::Away(error.to_string());
        let (parts, body) = self.transport.call(request).await.map_err(away)?.into_parts();
        let answer = body.bytes().await.map_err(away)?;
        let answer = &answer[..answer.len().min(MAX_ANSWER)];
        Ok((parts.status, String::from_utf8_lossy(answer).into_owned()))
    }
}

fn refused(status: StatusCode, answer: &str) -> ObjectError {
    let code = answer
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once("</Code>"));
    ObjectError::Away(format!("it answered {status} {}", code.map_or("", |(code, _)| code)))
}

/// As it stands in a query, and is signed.
fn form(text: &str) -> String {
    const RESERVED: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~');
    percent_encoding::utf8_percent_encode(text, &RESERVED).to_string()
}

#[derive(Serialize)]
#[serde(rename = "CompleteMultipartUpload")]
struct Complete {
    #[serde(rename = "Part")]
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    #[serde(rename = "PartNumber")]
    number: usize,
    #[serde(rename = "ETag")]
    tag: String,
}

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "Upload", default)]
    uploads: Vec<ListedUpload>,
}

#[derive(Deserialize)]
struct ListedUpload {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "UploadId")]
    id: String,
    #[serde(rename = "Initiated")]
    initiated: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_uploads_is_read() {
        let page: Page = quick_xml::de::from_str(
            "<?xml version=\"1.0\"?><ListMultipartUploadsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
             <Bucket>b</Bucket><Upload><Key>a/b</Key><UploadId>1</UploadId><StorageClass>STANDARD</StorageClass>\
             <Initiated>2026-11-23T14:53:18Z</Initiated></Upload><Upload><Key>c</Key><UploadId>2</UploadId>\
             <Initiated>2026-11-23T14:53:19Z</Initiated></Upload></ListMultipartUploadsResult>",
        )
        .unwrap();
        let found: Vec<_> = page.uploads.iter().map(|upload| (&*upload.key, &*upload.id)).collect();
        assert_eq!(found, [("a/b", "1"), ("c", "2")]);
        let none: Page = quick_xml::de::from_str("<ListMultipartUploadsResult/>").unwrap();
        assert!(none.uploads.is_empty());
    }
}
