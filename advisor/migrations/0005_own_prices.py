import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('advisor', '0004_refreshed_price_books'),
    ]

    operations = [
        migrations.AddField(
            model_name='storedfleet',
            name='prices',
            field=models.JSONField(default=dict),
        ),
        migrations.CreateModel(
            name='StoredPriceSheet',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('head', models.JSONField()),
                ('prices', models.JSONField()),
                ('fleet', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='price_sheet', to='advisor.storedfleet')),
            ],
        ),
    ]
