export const generalHelp = `Usage: upkeep <command> <url> [options]

  upkeep contract <url>   checks a service against the contract of the management endpoints
  upkeep probe <url>      requests <url> once; exit code 0 for a 2xx, else 1 (for a container's HEALTHCHECK)

See upkeep <command> --help for the options.
`

export const probeHelp = `Usage: upkeep probe <url> [--timeout 3s] [--wait 60s]

Requests <url> once. The exit code is 0 for a 2xx, and 1 for any other response or none.

  --timeout <duration>   timeout of each request, such as 500ms or 5s (default: 3s)
  --wait <duration>      repeats the request until it succeeds, at most this long: for pipelines that start a service
`

export const contractHelp = `Usage: upkeep contract <url> [options]

Checks the service at <url> against the contract of the management endpoints. The exit code is 0 if all
cases hold or are skipped, 1 if one is broken, and 2 if the service is unreachable or an option invalid.

  --only <names>          comma-separated areas, ids or prefixes of ids: health,metrics.tag
  --level <level>         weakest rules to check: must, should or may (default: may)
  --profile <profile>     upkeep, or spring for the part shared by Spring Boot Actuator (default: upkeep)
  --base-path <path>      path of the management endpoints (default: /management; for spring /actuator)
  --token <token>         bearer token of an authorized caller (or UPKEEP_TOKEN)
  --user <name:password>  user and password instead of a token (or UPKEEP_USER)
  --details <when>        who sees details: never, when-authorized or always
  --expose <ids>          endpoints that must exist; their cases are not skipped: health,prometheus
  --hook <path>           path of a webhook, to which messages are posted
  --route <path>          path of an application route that responds to GET with a 2xx
  --relay <path>          path of a route that requests {url}, such as /relay?to={url}
  --unsupported raw-targets=<reason>  the server resolves targets: cases that fail for it are skipped
  --timeout <duration>    timeout of each response (default: 10s)
  --reporter <reporter>   spec, tap, junit or json (default: spec)
  --list                  lists the cases without requests; also with --reporter json or markdown

Output is colored on a terminal; FORCE_COLOR and NO_COLOR override this.
`
