CREATE TABLE "request_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"result" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_keys_owner_key_pk" PRIMARY KEY("owner","key")
);--> statement-breakpoint
-- Its keys were of releases only, and are not repeated after an update.
DROP TABLE "idempotency_keys";
