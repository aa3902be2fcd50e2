"""What each assumption is called on pages: a short label; its reason says the rest."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "target_utilisation": "Busy share that machines are sized for",
    "steady_from_hours": "Hours from which a machine runs all month",
    "starts_per_month": "Starts of burst work",
    "start_hours": "Time of one start",
    "what_if_utilisation": "Busy share tried where none is known",
    "what_if_hours": "Hours tried where none are known",
    "job_slack": "How much slower a job may run and still fit",
    "slowest_job": "Least speed of a job on one GPU",
    "seat_slack": "Least speed of a seat",
    "host_floor": "vCPUs and memory that a seat keeps",
    "oversized_factor": "Work from which a size is far too large",
    "watched_hours": "Hours from which watched GPUs count",
    "watched_samples": "Samples from which watched GPUs count",
    "watched_days": "Days from which watched GPUs count in full",
    "watched_headroom": "Room above the GPU memory seen in use",
    "tf32": "TF32 for fp32 work",
    "efficiency_nvlink": "GPUs joined by NVLink",
    "efficiency_pcie": "GPUs joined by PCIe",
    "efficiency_infiniband": "Machines joined by InfiniBand",
    "efficiency_ethernet": "Machines joined by Ethernet",
    "discount_rate": "Discount rate a year",
    "labour_rate": "An engineer's hour",
    "labour_pool_resize": "Work of a resize, once for the pool",
    "labour_pool_redeploy": "Work of a redeployment, once for the pool",
    "labour_pool_rebuild": "Work of a new image, once for the pool",
    "labour_pool_port": "Work of porting code, once for the pool",
    "labour_vm_resize": "Work of resizing one VM",
    "labour_vm_redeploy": "Work of deploying one VM",
    "training_hours_rebuild": "Training for a new driver",
    "training_hours_port": "Training for another vendor",
    "parallel_days_resize": "Days side by side, resize",
    "parallel_days_redeploy": "Days side by side, redeployment",
    "moved_gib": "Data of one VM that moves",
    "moved_price": "Price of data that moves",
    "operations_hours": "Work of running one VM",
    "data_disks": "Data disks of one VM",
    "disk_price": "Price of one disk",
    "egress_gib": "Traffic of one VM to the internet",
    "egress_price": "Price of traffic to the internet",
    "grid_licence": "GRID licence of one VM",
    "hybrid_benefit": "Hybrid Benefit for Windows",
    "dev_test": "Dev/Test offer for development",
    "spot_job_hours": "Length of a job on spot",
    "spot_eviction_low": "Evictions in a calm region",
    "spot_eviction_high": "Evictions in a crowded region",
    "need_ends": "Work that ends",
    "size_changes": "Work that moves to another size",
    "reservation_recovered": "What a reservation without use brings back",
    "least_uncommitted": "Machines that are never committed",
    "most_on_spot": "Machines that may be on spot",
    "spot_lost_hours": "Work that an eviction loses",
    "refund_cap": "Refund of reservations in 12 months",
    "refund_fee": "Fee for returning a reservation",
    "range_hours": "Range of hours given",
    "range_hours_assumed": "Range of hours that nobody gave",
    "range_price": "Range of prices",
    "range_labour": "Range of work",
}


def label_of(name: str) -> str:
    """The label; a name that this version does not know, of an older report, in words."""
    words = name.replace("_", " ")
    return LABELS.get(name, words[:1].upper() + words[1:])
