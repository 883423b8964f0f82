package graphemes

// Certain is what Sync asks between two runes.
var Certain = certain
