CREATE TABLE "run_rates" (
	"app_id" integer PRIMARY KEY NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"runs" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "action_version" text DEFAULT 'v2' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "code" text;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "dependencies" json;--> statement-breakpoint
ALTER TABLE "run_rates" ADD CONSTRAINT "run_rates_app_id_apps_id_fk" FOREIGN KEY ("app_id") REFERENCES "public"."apps"("id") ON DELETE no action ON UPDATE no action;