from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("advisor", "0007_platform_facts"),
    ]

    operations = [
        migrations.CreateModel(
            name="StoredFitModel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.TextField()),
                ("as_of", models.DateField()),
                ("name", models.CharField(max_length=60, unique=True)),
                ("family", models.CharField(max_length=40)),
                ("kind", models.CharField(max_length=10)),
                ("parameters", models.BigIntegerField(blank=True, null=True)),
                ("layers", models.BigIntegerField(blank=True, null=True)),
                ("hidden_size", models.BigIntegerField(blank=True, null=True)),
                ("heads", models.BigIntegerField(blank=True, null=True)),
                ("kv_heads", models.BigIntegerField(blank=True, null=True)),
                ("head_dim", models.BigIntegerField(blank=True, null=True)),
                ("mlp_size", models.BigIntegerField(blank=True, null=True)),
                ("vocab_size", models.BigIntegerField(blank=True, null=True)),
                ("tied", models.BooleanField(blank=True, null=True)),
                ("latent_size", models.BigIntegerField(blank=True, null=True)),
                ("window", models.BigIntegerField(blank=True, null=True)),
                ("window_layers", models.BigIntegerField(blank=True, null=True)),
                ("max_context", models.BigIntegerField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ("decoder", "encoder", "other"))), name="fit_model_kind_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredLoadFigure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.TextField()),
                ("as_of", models.DateField()),
                ("code", models.CharField(max_length=80, unique=True)),
                ("model", models.CharField(max_length=60)),
                ("quantity", models.CharField(max_length=20)),
                ("precision", models.CharField(max_length=10)),
                ("gpus", models.PositiveSmallIntegerField()),
                ("context", models.BigIntegerField(blank=True, null=True)),
                ("users", models.BigIntegerField(blank=True, null=True)),
                ("method", models.TextField(blank=True, null=True)),
                ("optimiser", models.TextField(blank=True, null=True)),
                ("checkpointing", models.BooleanField(blank=True, null=True)),
                ("flash", models.BooleanField(blank=True, null=True)),
                ("chunked_loss", models.BooleanField(blank=True, null=True)),
                ("published_gib", models.FloatField(blank=True, null=True)),
                ("disputed", models.TextField(blank=True)),
                ("note", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("quantity__in", ("weights", "kv-cache", "activations", "loaded", "states", "training"))
                        ),
                        name="load_figure_quantity_known",
                    ),
                    models.CheckConstraint(condition=models.Q(("published_gib__gt", 0)), name="load_figure_above_0"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredMemoryReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.TextField()),
                ("as_of", models.DateField()),
                ("gpu", models.CharField(max_length=60)),
                ("usable_gib", models.FloatField()),
                ("read_by", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("usable_gib__gt", 0)), name="memory_reading_above_0"),
                    models.UniqueConstraint(fields=("gpu", "source"), name="memory_reading_once"),
                ],
            },
        ),
    ]
