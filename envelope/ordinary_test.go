package envelope

import "github.com/toolclip/toolclip/coverage"

// ordinary is a partial text result with one read and one search call.
func ordinary() Envelope {
	return Envelope{
		Tool: "fetch",
		Part: Part{
			Content: "first line\nlast line that is shown\n",
			View: View{
				Bytes: []coverage.Range{{Start: 0, End: 24310}}, ByteTotal: coverage.Exactly(156021),
				Unit: coverage.Line, Units: []coverage.Range{{Start: 0, End: 178}}, UnitTotal: coverage.Exactly(549),
				Omissions: []Omission{{Unit: coverage.Line, Shown: 178, Total: coverage.Exactly(549)}},
			},
			Reasons:  []coverage.Reason{{Code: coverage.OverBudget, Layer: coverage.LayerBudget, Unit: coverage.Byte, Limit: 16384}},
			Artifact: someArtifact(),
			Acquired: AcquiredUnknown,
		},
		Next: theCalls(179, 549),
	}
}
