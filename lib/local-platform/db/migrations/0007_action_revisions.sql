CREATE TABLE "action_revisions" (
	"action_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"copy" json NOT NULL,
	"change" text,
	"changed" json,
	"restored" integer,
	"author" text,
	"user_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "action_revisions_action_id_revision_pk" PRIMARY KEY("action_id","revision")
);
--> statement-breakpoint
ALTER TABLE "action_revisions" ADD CONSTRAINT "action_revisions_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "action_revisions" ADD CONSTRAINT "action_revisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "action_revisions" ("action_id", "revision", "copy", "created_at") SELECT "id", "revision", json_build_object('name', "name", 'active', "active", 'frequency', "frequency", 'timezone', "timezone", 'environment', "environment", 'triggers', "triggers", 'functions', "functions", 'pageId', "page_id"), "updated_at" FROM "actions";
