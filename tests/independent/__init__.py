"""The advice worked out a second time from the fixture files and the formulas of the design, without the engine."""
