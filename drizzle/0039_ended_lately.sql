-- What came to an end last, whenever it was submitted: the overview tells it.
CREATE INDEX "pipelines_by_end" ON "signalbox"."pipelines" USING btree ("tenant_id","ended_at","pipeline_id") WHERE "signalbox"."pipelines"."ended_at" is not null;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0039_ended_lately', 'compatible');
