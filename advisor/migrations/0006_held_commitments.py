from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('advisor', '0005_own_prices'),
    ]

    operations = [
        migrations.AddField(
            model_name='storedfleet',
            name='held',
            field=models.JSONField(default=list),
        ),
    ]
