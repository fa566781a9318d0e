CREATE TABLE "edition_announcements" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"paused_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "edition_mails" (
	"file_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"mail_id" uuid,
	"queued_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "edition_mails_file_id_user_id_pk" PRIMARY KEY("file_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "mail_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"has_editions" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_choices_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "edition" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE FUNCTION number_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.edition := (SELECT coalesce(max(edition), 0) + 1 FROM product_files
		WHERE product_id = NEW.product_id AND file_format = NEW.file_format);
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER number_edition BEFORE INSERT ON product_files
	FOR EACH ROW WHEN (NEW.edition = 0) EXECUTE FUNCTION number_edition();--> statement-breakpoint
-- After the trigger: what the version before adds meanwhile is numbered by it.
UPDATE product_files SET edition = numbered.nth FROM (
	SELECT id, row_number() OVER (PARTITION BY product_id, file_format ORDER BY created_at, id) AS nth FROM product_files
) numbered WHERE numbered.id = product_files.id;--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "changes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "edition_announcements" ADD CONSTRAINT "edition_announcements_file_id_product_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."product_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_mails" ADD CONSTRAINT "edition_mails_file_id_edition_announcements_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."edition_announcements"("file_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_mails" ADD CONSTRAINT "edition_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "edition_mails_waiting" ON "edition_mails" USING btree ("file_id","user_id") WHERE "edition_mails"."queued_at" is null;--> statement-breakpoint
CREATE INDEX "edition_mails_under_way" ON "edition_mails" USING btree ("queued_at") WHERE "edition_mails"."queued_at" is not null and "edition_mails"."outcome" is null;--> statement-breakpoint
CREATE INDEX "edition_mails_queued" ON "edition_mails" USING btree ("queued_at");--> statement-breakpoint
CREATE INDEX "edition_mails_of_user" ON "edition_mails" USING btree ("user_id");
