DROP INDEX "logs_data";--> statement-breakpoint
ALTER TABLE "logs" ADD COLUMN "search_data" jsonb GENERATED ALWAYS AS (searchable(data)) STORED;--> statement-breakpoint
CREATE INDEX "logs_search_data" ON "logs" USING gin (search_data jsonb_path_ops) WITH (fastupdate=false);