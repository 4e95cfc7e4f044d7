-- As text: the order of keys stays.
UPDATE "actions" SET "published" = ('{"name":' || to_json("name") || ',' || substr(ltrim("published"::text), 2))::json WHERE "published" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "actions_published_name" ON "actions" USING btree ("app_id",(published ->> 'name'));