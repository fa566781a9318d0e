CREATE TABLE "auth"."purchase_passwords" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"password_hash" text NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "guest_checkouts" ADD COLUMN "made_account" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "auth"."purchase_passwords" ADD CONSTRAINT "purchase_passwords_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;