# size = "Standard_NC24" in a comment is no machine
variable "gpu_size" {
  default = "Standard_NC6"
}

resource "azurerm_resource_group" "ml" {
  name     = "rg-ml"
  location = "westeurope"
}

resource "azurerm_linux_virtual_machine" "train" {
  count    = 3
  name     = "train-${count.index}"
  size     = "Standard_NC6s_v3"
  location = azurerm_resource_group.ml.location
  priority = "Spot"
  os_disk {
    caching = "ReadWrite"
  }
}

resource "azurerm_windows_virtual_machine" "viz" {
  for_each = toset(["a", "b"])
  name     = each.key
  size     = "Standard_NV12s_v3"
  location = "North Europe"
}

resource "azurerm_linux_virtual_machine" "old" {
  name     = "old"
  size     = var.gpu_size
  location = "westeurope"
}

resource "azurerm_kubernetes_cluster" "aks" {
  name     = "aks"
  location = "koreacentral"
  default_node_pool {
    name       = "system"
    vm_size    = "Standard_D4s_v5"
    node_count = 3
  }
}

resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name                  = "gpu"
  kubernetes_cluster_id = azurerm_kubernetes_cluster.aks.id
  vm_size               = "Standard_NC4as_T4_v3"
  node_count            = 2
}

resource "azurerm_linux_virtual_machine" "typo" {
  name     = "typo"
  size     = "Standard_NC66"
  location = "westeurope"
}
