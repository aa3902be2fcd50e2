"""Items of the Azure Retail Prices API turned into a price book that was checked and compared with the last one."""
