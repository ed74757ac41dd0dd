-- Twenty remarks, as long as people's are.
CREATE TABLE remarks (
  id INTEGER PRIMARY KEY,
  author TEXT NOT NULL,
  text TEXT NOT NULL,
  created INTEGER NOT NULL,
  page TEXT
);
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20)
INSERT INTO remarks SELECT
  n, 'Reviewer ' || n,
  'Remark ' || n || ': the spacing above the price is off by a few pixels on small screens – “see” the copy.',
  1760000000000 + n, CASE n % 2 WHEN 0 THEN '/pricing' END
FROM numbers;
