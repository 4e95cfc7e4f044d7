CREATE TABLE "recordings" (
	"log_id" integer PRIMARY KEY NOT NULL,
	"app_id" integer NOT NULL,
	"content" "bytea",
	"missing" text,
	"size" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_log_id_logs_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."logs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recordings_app_id_log_id_index" ON "recordings" USING btree ("app_id","log_id");--> statement-breakpoint
CREATE INDEX "recordings_expires_at_index" ON "recordings" USING btree ("expires_at");