package main

// PassedOver counts an envelope that holds nothing an answer could rest on.
func (m *metrics) PassedOver(area string) { m.passedOver.WithLabelValues(area).Inc() }
