CREATE TABLE "data_usage" (
	"app_id" integer PRIMARY KEY NOT NULL,
	"entries" bigint NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO data_usage AS kept (app_id, entries, bytes)
	SELECT app_id, count(*), sum(octet_length(data::text)) FROM added JOIN data_sources ON data_sources.id = data_source_id GROUP BY 1 ORDER BY 1
	ON CONFLICT (app_id) DO UPDATE SET entries = kept.entries + excluded.entries, bytes = kept.bytes + excluded.bytes;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_entries AFTER INSERT ON data_source_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_entries();--> statement-breakpoint
INSERT INTO data_usage (app_id, entries, bytes) SELECT app_id, count(*), sum(octet_length(data::text)) FROM data_source_entries JOIN data_sources ON data_sources.id = data_source_id GROUP BY 1;
