"""Facts of drivers, guest systems, images and platforms by series."""

from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


def dated(*columns):
    return [ID, ("source", models.TextField()), ("as_of", models.DateField()), *columns]


class Migration(migrations.Migration):
    dependencies = [("advisor", "0006_held_commitments")]

    operations = [
        migrations.CreateModel(
            name="StoredDriverRelease",
            fields=dated(
                ("series", models.CharField(max_length=40)),
                ("system", models.CharField(max_length=10)),
                ("kind", models.CharField(max_length=10)),
                ("version", models.TextField(blank=True, null=True)),
                ("branch", models.FloatField(blank=True, null=True)),
                ("vgpu", models.FloatField(blank=True, null=True)),
                ("vgpu_version", models.TextField(blank=True, null=True)),
                ("minimum_branch", models.FloatField(blank=True, null=True)),
                ("maximum_branch", models.FloatField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
            ),
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("series", "system", "kind"), name="driver_release_unique")
                ]
            },
        ),
        migrations.CreateModel(
            name="StoredSystemSupport",
            fields=dated(
                ("series", models.CharField(max_length=40)),
                ("family", models.CharField(max_length=30)),
                ("oldest", models.CharField(max_length=20)),
                ("newest", models.CharField(max_length=20)),
                ("note", models.TextField(blank=True)),
            ),
            options={
                "constraints": [models.UniqueConstraint(fields=("series", "family"), name="system_support_unique")]
            },
        ),
        migrations.CreateModel(
            name="StoredImageSupport",
            fields=dated(
                ("image", models.CharField(max_length=60)),
                ("gpu", models.CharField(max_length=60)),
                ("works", models.BooleanField()),
                ("note", models.TextField(blank=True)),
            ),
            options={"constraints": [models.UniqueConstraint(fields=("image", "gpu"), name="image_support_unique")]},
        ),
        migrations.CreateModel(
            name="StoredSeriesPlatform",
            fields=dated(
                ("series", models.CharField(max_length=40, unique=True)),
                ("disk_controller", models.CharField(blank=True, max_length=10, null=True)),
                ("disk_encryption", models.BooleanField(blank=True, null=True)),
                ("aks", models.BooleanField(blank=True, null=True)),
                ("batch", models.BooleanField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
            ),
            options={"abstract": False},
        ),
    ]
