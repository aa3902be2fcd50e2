"""Every address of the site."""

from django.urls import URLPattern, path

from advisor.views import (
    answer,
    assumption,
    catalogue,
    edge,
    edge_check,
    edge_order,
    edge_report,
    edge_sharing,
    edge_smi,
    fleet,
    pool,
    profiles,
    report,
    size,
    source,
    start,
    upload,
)

urlpatterns: list[URLPattern] = [
    path("", start.start, name="start"),
    path("fleets/", fleet.fleets, name="fleets"),
    path("fleets/template.csv", start.template, name="template"),
    path("fleets/sample/<slug:slug>/", upload.sample, name="sample"),
    path("uploads/<uuid:upload_id>/", upload.columns, name="upload"),
    path("fleets/<uuid:fleet_id>/", fleet.fleet, name="fleet"),
    path("fleets/<uuid:fleet_id>/corrections/", fleet.correct, name="corrections"),
    path("fleets/<uuid:fleet_id>/hours/", fleet.hours, name="hours"),
    path("fleets/<uuid:fleet_id>/delete/", fleet.delete, name="delete-fleet"),
    path("fleets/<uuid:fleet_id>/answer/", answer.answer, name="answer"),
    path("fleets/<uuid:fleet_id>/answer.json", answer.answer_json, name="answer-json"),
    path("fleets/<uuid:fleet_id>/answer.csv", answer.answer_csv, name="answer-csv"),
    path("fleets/<uuid:fleet_id>/answer/<str:pool_id>/", pool.pool, name="pool"),
    path("fleets/<uuid:fleet_id>/answer/<str:pool_id>/rejected/", pool.rejected, name="rejected"),
    path("fleets/<uuid:fleet_id>/profiles/", profiles.profiles, name="profiles"),
    path("sizes/", catalogue.catalogue, name="sizes"),
    path("sizes/<str:name>/", size.size, name="size"),
    path("assumptions/", assumption.assumptions, name="assumptions"),
    path("sources/", source.sources, name="sources"),
    path("fleets/<uuid:fleet_id>/reports/", report.make_report, name="make-report"),
    path("reports/<str:token>/", report.report, name="report"),
    path("reports/<str:token>/file/", report.report_file, name="report-file"),
    path("reports/<str:token>/revoke/", report.revoke_report, name="revoke-report"),
    path("edge/", edge.edge, name="edge"),
    path("edge/disagreements/", edge.disagreements, name="edge-disagreements"),
    path("edge/order/", edge_order.edge_order, name="edge-order"),
    path("edge/sharing/", edge_sharing.edge_sharing, name="edge-sharing"),
    path("edge/manifest/", edge_sharing.edge_manifest, name="edge-manifest"),
    path("edge/reports/", edge_report.make_edge_report, name="make-edge-report"),
    path("edge/check/", edge_check.edge_check, name="edge-check"),
    path("edge/smi/", edge_smi.edge_smi, name="edge-smi"),
]

handler400 = "advisor.views.error.bad_request"
