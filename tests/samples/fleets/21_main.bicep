param gpuSize string = 'Standard_NC6'
param location string = 'westeurope'

// vmSize: 'Standard_NC24' in a comment is no machine
resource vm 'Microsoft.Compute/virtualMachines@2023-09-01' = {
  name: 'train-1'
  location: 'westeurope'
  properties: {
    priority: 'Spot'
    hardwareProfile: {
      vmSize: 'Standard_NC24s_v3'
    }
  }
}

resource set 'Microsoft.Compute/virtualMachineScaleSets@2023-09-01' = {
  name: 'render'
  location: 'eastus'
  sku: {
    name: 'Standard_NV6'
    capacity: 4
  }
  properties: {
    virtualMachineProfile: {}
  }
}

resource old 'Microsoft.Compute/virtualMachines@2023-09-01' = {
  name: 'old-1'
  location: 'westeurope'
  properties: {
    hardwareProfile: {
      vmSize: gpuSize
    }
  }
}

resource disk 'Microsoft.Compute/disks@2023-04-02' = {
  name: 'data-1'
  location: 'westeurope'
}
