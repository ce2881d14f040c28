"""Reads one JSON array a line, [format, text], and answers each with what Prometheus' own Python client parses: a JSON
array of [name, type, unit, help, samples], or an object with the error."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_prometheus


def parsed(form, text):
    parse = parse_openmetrics if form == "openmetrics" else parse_prometheus
    return [
        [family.name, family.type, family.unit, family.documentation, [sample_of(sample) for sample in family.samples]]
        for family in parse(text)
    ]


def sample_of(sample):
    exemplar = sample.exemplar and [sample.exemplar.labels, repr(float(sample.exemplar.value))]
    return [sample.name, sample.labels, repr(float(sample.value)), exemplar]


for line in sys.stdin:
    try:
        answer = parsed(*json.loads(line))
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
