//! Images of comments.

use super::*;

/// A PNG of this size, with `extra` bytes behind its header.
fn png(width: u32, height: u32, extra: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0]);
    bytes.extend(vec![0; extra]);
    bytes
}

/// A JPEG and a WebP of 3 by 2 pixels: their headers.
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x02\0\x03\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xd9";
const WEBP: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x02\x40\0\0\x07\x10\xfd\x8f\xfe\x07\x22\xa2\xff\x01\0";

impl Review {
    fn add(&self, path: &str, content: impl Into<Vec<u8>>) -> Answer {
        let call = self.host.post(&format!("{path}/images")).as_user(&self.ann);
        call.bytes(content).send()
    }

    /// A comment by Ann with an image: the paths of both.
    fn with_image(&self) -> (String, String) {
        let (path, _) = self.written(|call| call.as_user(&self.ann));
        let image = self.add(&path, png(3, 2, 10));
        assert_eq!(image.status, 201, "{}", image.text());
        self.host.rung();
        let image = format!("{path}/images/{}", image.json()["id"].as_str().unwrap());
        (path, image)
    }

    fn blob(&self, image: &str) -> bool {
        let key = format!("images/{}", image.rsplit('/').next().unwrap());
        let found = self.host.run(|| galley_sdk::blobs::get(&key, 0, 1));
        found.unwrap().is_some()
    }
}

#[test]
fn an_image_is_what_its_content_says() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    for (content, kind, width) in [
        (png(300, 20, 7), "image/png", 300),
        (JPEG.into(), "image/jpeg", 3),
        (WEBP.into(), "image/webp", 3),
    ] {
        let answer = review.add(&path, content.clone());
        assert_eq!(answer.status, 201, "{kind}: {}", answer.text());
        let image = answer.json();
        assert_eq!((&image["type"], &image["width"]), (&json!(kind), &json!(width)));
        assert_eq!(image["bytes"], content.len());
        assert_eq!(review.host.rung(), ["p1"]);
        let shown = review
            .host
            .get(&format!("{path}/images/{}", image["id"].as_str().unwrap()))
            .send();
        assert_eq!((shown.status, shown.header("content-type")), (200, Some(kind)));
        assert_eq!(shown.body, content);
        let images = &review.listed()[0]["images"];
        assert_eq!(images.as_array().unwrap().last(), Some(&image));
    }
}

#[test]
fn other_files_are_refused() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let refusal = "This is not a PNG, JPEG or WebP image";
    for bad in [
        &b""[..],
        b"x",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a\x01\0\x01\0\0\0\0",
        b"<html></html>",
    ] {
        refused(review.add(&path, bad), 400, refusal);
    }
    let damaged = "This image is damaged: its width and height cannot be read";
    refused(review.add(&path, &png(3, 2, 0)[..18]), 400, damaged);
    refused(review.add(&path, png(0, 2, 0)), 400, damaged);
    refused(
        review.add(&path, png(8_001, 8_001, 0)),
        400,
        "An image can have at most 64 million pixels",
    );
    refused(
        review.add(&path, png(u32::MAX, u32::MAX, 0)),
        400,
        "An image can have at most 64 million pixels",
    );
    // Every beginning of an image is an answer, and no fault.
    for content in [png(3, 2, 4), JPEG.into(), WEBP.into()] {
        for end in 0..content.len() {
            assert!(
                matches!(review.add(&path, &content[..end]).status, 200 | 201 | 400),
                "{end}"
            );
        }
    }
}

#[test]
fn a_comment_has_at_most_four_images() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    for extra in 0..4 {
        assert_eq!(review.add(&path, png(3, 2, extra)).status, 201);
    }
    refused(
        review.add(&path, png(3, 2, 4)),
        400,
        "A comment can have at most 4 images",
    );
    let first = review.listed()[0]["images"][0].clone();
    let again = review.add(&path, png(3, 2, 0));
    assert_eq!(
        (again.status, again.json()),
        (200, first.clone()),
        "it is there already"
    );
    let image = format!("{path}/images/{}", first["id"].as_str().unwrap());
    assert_eq!(review.host.delete(&image).as_user(&review.ann).send().status, 204);
    assert_eq!(review.add(&path, png(3, 2, 4)).status, 201);
    let sizes = |images: &Value| -> Vec<u64> {
        images
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["bytes"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(sizes(&review.listed()[0]["images"]), [30, 31, 32, 33]);
}

#[test]
fn images_are_their_comments() {
    let review = review();
    let (path, image) = review.with_image();
    let (other, _) = review.written(|call| call);
    let moved = image.replace(&path, &other);
    refused(review.host.get(&moved).send(), 404, "Image not found");
    refused(review.host.get(&format!("{image}x")).send(), 404, "Image not found");
    refused(review.host.delete(&moved).send(), 404, "Image not found");
    let of_another_project = image.replace("/p1/", "/p2/");
    refused(review.host.get(&of_another_project).send(), 404, "Image not found");
    refused(
        review.host.delete(&image).as_user(&review.ben).send(),
        404,
        "Comment not found",
    );
    let by_ben = review
        .host
        .post(&format!("{path}/images"))
        .as_user(&review.ben)
        .bytes(png(1, 1, 0));
    refused(by_ben.send(), 404, "Comment not found");
    let missing = review.host.post(&format!("{COMMENTS}/none/images")).bytes(png(1, 1, 0));
    refused(missing.send(), 404, "Comment not found");
    // Any writer may change a visitor's comment, and so its images.
    assert_eq!(
        review
            .host
            .post(&format!("{other}/images"))
            .bytes(png(1, 1, 0))
            .send()
            .status,
        201
    );
    review.host.project("p1").access("invited");
    assert_eq!(review.host.get(&image).as_user(&review.ben).send().status, 404);
}

#[test]
fn an_image_is_kept_by_browsers_for_this_person_only() {
    let review = review();
    let (_, image) = review.with_image();
    let first = review.host.get(&image).send();
    assert_eq!(first.header("cache-control"), Some("private, max-age=86400, immutable"));
    let tag = first.header("etag").unwrap();
    let again = review.host.get(&image).header("if-none-match", tag).send();
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(
        review
            .host
            .get(&image)
            .header("if-none-match", "\"other\"")
            .send()
            .status,
        200
    );
}

#[test]
fn images_go_with_their_comment_and_their_project() {
    let review = review();
    let (path, image) = review.with_image();
    assert!(review.blob(&image));
    assert_eq!(review.host.delete(&path).as_user(&review.ann).send().status, 204);
    assert!(!review.blob(&image));
    refused(review.host.get(&image).send(), 404, "Image not found");
    let images: Vec<_> = (0..3).map(|_| review.with_image().1).collect();
    for _ in 0..2 {
        review
            .host
            .deliver("project-deleted", json!({ "projectId": "p1" }))
            .unwrap();
        assert!(images.iter().all(|image| !review.blob(image)));
    }
}

#[test]
fn what_a_crash_left_is_deleted_by_the_job() {
    let review = review();
    let (_, image) = review.with_image();
    let begun = "INSERT INTO image_files (id, project_id, comment_id, type, bytes, shown, since)
                 VALUES ('half', 'p1', 'none', 'image/png', 1, 0, '2026-01-01T00:00:00.000Z')";
    review.host.run(|| {
        galley_sdk::sql::execute(begun, galley_sdk::prelude::params![]).unwrap();
        galley_sdk::blobs::put("images/half", b"x").unwrap();
    });
    review.host.run_job("images").unwrap();
    assert!(review.blob("half"), "it may be on its way still");
    review.host.advance(3_600_001);
    review.host.run_job("images").unwrap();
    assert!(!review.blob("half") && review.blob(&image));
}

#[test]
fn the_images_of_a_project_have_a_bound() {
    let review = review();
    let (path, _) = review.with_image();
    let full = "INSERT INTO image_files (id, project_id, comment_id, type, bytes, shown, since)
                VALUES ('big', 'p1', 'none', 'image/png', 524287900, 1, '')";
    review
        .host
        .run(|| galley_sdk::sql::execute(full, galley_sdk::prelude::params![]))
        .unwrap();
    assert_eq!(review.add(&path, png(1, 1, 0)).status, 201);
    refused(
        review.add(&path, png(1, 1, 100)),
        400,
        "The images of this project's comments take 500 MiB, and no more fit: delete some",
    );
}
