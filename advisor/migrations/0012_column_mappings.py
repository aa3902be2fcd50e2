from django.db import migrations, models


def forget_uploads(apps, schema_editor):
    """Files in the database waited for an hour at most; they now lie on disk."""
    apps.get_model("advisor", "StoredUpload").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("advisor", "0011_imports"),
    ]

    operations = [
        migrations.RunPython(forget_uploads, migrations.RunPython.noop),
        migrations.RemoveField(model_name="storedupload", name="content"),
        migrations.AddField(
            model_name="storedupload",
            name="size",
            field=models.PositiveBigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(model_name="storedupload", name="reason", field=models.TextField(blank=True)),
        migrations.AddField(model_name="storedimport", name="matched", field=models.JSONField(null=True)),
        migrations.AddField(model_name="storedimport", name="fleet", field=models.UUIDField(null=True)),
        migrations.CreateModel(
            name="StoredMapping",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(max_length=64)),
                ("shape", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField(auto_now=True)),
                ("mapping", models.JSONField()),
            ],
            options={
                "constraints": (
                    models.UniqueConstraint(fields=("owner", "shape"), name="one_mapping_of_a_shape"),
                ),
            },
        ),
    ]
