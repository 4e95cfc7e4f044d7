-- Old versions stored characters that `jsonb` can’t have. Those records aren’t found by `where.data`, as before.
CREATE FUNCTION searchable(data json) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
	RETURN data::jsonb;
EXCEPTION WHEN OTHERS THEN
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TABLE "log_usage" (
	"app_id" integer NOT NULL,
	"slot" integer NOT NULL,
	"records" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "log_usage_app_id_slot_pk" PRIMARY KEY("app_id","slot")
);
--> statement-breakpoint
CREATE INDEX "actions_app_id_action_version_id_index" ON "actions" USING btree ("app_id","action_version","id");--> statement-breakpoint
CREATE INDEX "actions_analytics" ON "actions" USING btree ("app_id") WHERE (triggers::text like '%"analytics"%' or published::text like '%"analytics"%');--> statement-breakpoint
CREATE INDEX "logs_app_id_created_at_index" ON "logs" USING btree ("app_id","created_at");--> statement-breakpoint
CREATE INDEX "logs_app_id_data_source_id_index" ON "logs" USING btree ("app_id","data_source_id") WHERE "logs"."data_source_id" is not null;--> statement-breakpoint
CREATE INDEX "logs_app_id_data_source_entry_id_index" ON "logs" USING btree ("app_id","data_source_entry_id") WHERE "logs"."data_source_entry_id" is not null;--> statement-breakpoint
CREATE INDEX "logs_app_id_app_notification_id_index" ON "logs" USING btree ("app_id","app_notification_id") WHERE "logs"."app_notification_id" is not null;--> statement-breakpoint
CREATE INDEX "logs_app_id_session_id_index" ON "logs" USING btree ("app_id","session_id") WHERE "logs"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "logs_data" ON "logs" USING gin (searchable(data) jsonb_path_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_logs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log_counts AS kept (app_id, action_id, type, slot, count)
	SELECT app_id, coalesce(action_id, 0), type, pg_backend_pid() % 16, count(*) FROM added GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
	ON CONFLICT (app_id, action_id, type, slot) DO UPDATE SET count = kept.count + excluded.count;
	INSERT INTO log_usage AS kept (app_id, slot, records, bytes)
	SELECT app_id, pg_backend_pid() % 16, count(*), sum(octet_length(data::text)) FROM added GROUP BY 1 ORDER BY 1
	ON CONFLICT (app_id, slot) DO UPDATE SET records = kept.records + excluded.records, bytes = kept.bytes + excluded.bytes;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION uncount_logs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log_counts AS kept (app_id, action_id, type, slot, count)
	SELECT app_id, coalesce(action_id, 0), type, pg_backend_pid() % 16, -count(*) FROM removed GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
	ON CONFLICT (app_id, action_id, type, slot) DO UPDATE SET count = kept.count + excluded.count;
	INSERT INTO log_usage AS kept (app_id, slot, records, bytes)
	SELECT app_id, pg_backend_pid() % 16, -count(*), -sum(octet_length(data::text)) FROM removed GROUP BY 1 ORDER BY 1
	ON CONFLICT (app_id, slot) DO UPDATE SET records = kept.records + excluded.records, bytes = kept.bytes + excluded.bytes;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER uncount_logs AFTER DELETE ON logs REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION uncount_logs();--> statement-breakpoint
INSERT INTO log_usage (app_id, slot, records, bytes) SELECT app_id, 0, count(*), sum(octet_length(data::text)) FROM logs GROUP BY 1;
