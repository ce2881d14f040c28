export const generalHelp = `Usage: upkeep <command> [options]

  upkeep contract <url>   checks a service against the contract of the management endpoints
  upkeep probe <url>      requests <url> once; exit code 0 for a 2xx, else 1 (for a container's HEALTHCHECK)
  upkeep doctor           finds common mistakes in a running service, a program, or a project
  upkeep report [url]     writes versions, checks and health as one Markdown text, for an issue
  upkeep top <url>        shows requests, routes, event loop, memory and health of a running service in a terminal
  upkeep mcp <url…>       serves what running services show to an agent, by the Model Context Protocol on stdio
  upkeep cluster          lists the processes and threads that are one cluster, or serves their metrics
  upkeep explain <text>   prints the section of the documentation about an error message, an error code or an option
  upkeep docs [page]      lists the pages of the documentation, or prints one

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

  --only <names>          areas, ids or beginnings of ids, with commas in between: health,metrics.tag
  --level <level>         the weakest rules that count: must, should or may (may)
  --profile <profile>     upkeep, or spring: what a Spring Boot Actuator has of it (upkeep)
  --base-path <path>      where the management endpoints are (/management; for spring /actuator)
  --path <id>=<path>      where an endpoint is, if not at its id: prometheus=/metrics
  --token <token>         a bearer token of somebody who is authorized (UPKEEP_TOKEN)
  --user <name:password>  a name and password instead (UPKEEP_USER)
  --details <to whom>     who sees details: never, when-authorized or always
  --endpoints <ids>       endpoints of the application's own, for which the cases about every endpoint run too
  --expose <ids>          endpoints that have to be there, whose cases are then not skipped: health,prometheus
  --hook <path>           a webhook; messages are posted to it
  --route <path>          a route of the application that answers GET with a 2xx
  --relay <path>          a route that asks {url}, such as /relay?to={url}
  --unsupported raw-targets=<why>  the server makes URLs of targets: cases that it breaks are skipped, and say why
  --timeout <duration>    how long an answer may take (10s)
  --reporter <reporters>  spec, github, tap, junit or json (spec); github is spec with annotations for GitHub Actions
  --output <file>         writes tap, junit or json to a file, beside spec or github: --reporter junit,github
  --list                  tells the cases and asks nothing; with --reporter json or markdown as that

Output is colored on a terminal; FORCE_COLOR and NO_COLOR override this.
`

export const clusterHelp = `Usage: upkeep cluster [--group <name>] [options]

Lists the groups of this user with their members, from their files; changes nothing. With --listen it serves
the metrics of a group at /metrics until SIGTERM or SIGINT. The exit code is 0, or 1 if there is no such
group, it cannot be read, or the port is not available, and 2 if an option is invalid.

  --group <name>         the name or id of a group: its members, and the files that are refused, with reasons
                         (with --listen by default the only group that has live members)
  --directory <path>     the option directory of joinCluster (default: as that)
  --json                 prints JSON
  --listen <host:port>   serves /metrics and /health: 127.0.0.1:9464 for this machine, 0.0.0.0:9464 for all
`

export const topHelp = `Usage: upkeep top <url> [options]

Shows a running service, once a second: requests, routes, event loop, memory, garbage collection, health. <url> is the
base path of the management, such as http://127.0.0.1:8081/management, or of Spring Boot Actuator; for an origin
/management and /actuator are tried. Reads the endpoint console, or metrics and health where that is not exposed.
Output that is no terminal, and TERM=dumb, get one line for each sample. The exit code is 0, or 1 if the service
cannot be read, and 2 if an argument is invalid.

  --interval <seconds>   the time between two samples, from 1 (1)
  --sort <value>         the order of routes: rate, errors, p50, p95, p99 or requests (rate)
  --filter <text>        shows routes that contain the text
  --once                 writes one sample with all routes
  --json                 writes each sample as a line of JSON

Keys: q quit, s sort, / filter, r routes, p pause, m member. The token of an authorized caller is read from
UPKEEP_TOKEN, a name and password from UPKEEP_USER; a terminal is asked for the token if it is needed.
NO_COLOR turns colours off.
`

export const mcpHelp = `Usage: upkeep mcp <[name=]url…> [options]

Serves tools for agents by the Model Context Protocol, on standard input and output: why a service is slow, its health,
metrics, requests, logs, profiles and threads. Each <url> is the base path of a management, such as
orders=http://127.0.0.1:8081/management, or of Spring Boot Actuator; for an origin /management and /actuator are tried.
Requests only these URLs, and follows no redirects. The exit code is 0, or 2 if an argument is invalid.

  --token-file <file>    a file with a bearer token for all services; name=file for one
  --allow-changes        adds the tools set_log_level, evict_cache and run_health_check
  --timeout <duration>   how long a service may take to respond (10s)

The token is otherwise read from UPKEEP_TOKEN, a name and password from UPKEEP_USER.
`

export const doctorHelp = `Usage: upkeep doctor [url | file] [options]

Finds common mistakes, each with the line that mends it, and lists what it could not check, and why. With
the URL of a running service it sends GET requests to it. With the file of a program it starts that with
node, sends requests once it listens, and ends it. Otherwise it reads package.json and node_modules only.
The exit code is 0 if nothing was found, 1 if something was, and 2 if nothing could be checked.

  --token <token>         a bearer token of somebody who is authorized (UPKEEP_TOKEN)
  --base-path <path>      where the management endpoints of a URL are (/management)
  --route <path>          a path of the application that responds to GET, to see whether it is observed
  --public <ids>          endpoints that everyone may read: prometheus,info
  --grace <duration>      how long the orchestrator waits after SIGTERM: 30s for Kubernetes by default
  --memory <size>         the memory limit of the container: 512Mi
  --container             checks the program as if it ran in a container
  --timeout <duration>    how long the program may take to listen, and each response of a URL (30s)
  --upgrade <version>     instead reads programs, dashboards and alerts in this folder and below, and names what
                          has changed since this version of upkeep, with the line to write: 0.1
  --json                  prints JSON
`

export const reportHelp = `Usage: upkeep report [url | file] [options] > report.md

Writes what an issue about upkeep needs, as Markdown: the versions of upkeep, Node and the packages of this folder, what
upkeep doctor finds, and of a running service health, info and why. Secrets are masked; read it before you publish it.
The exit code is 0, or 2 if an argument is invalid.

  --token <token>         a bearer token of an authorized caller (UPKEEP_TOKEN)
  --base-path <path>      where the management endpoints of a URL are (/management)

and the other options of upkeep doctor.
`

export const explainHelp = `Usage: upkeep explain <error message, error code or option>

Prints the section of the documentation that explains it, and names others: upkeep explain UPKEEP_EOPTION,
upkeep explain health.slowCheck, upkeep explain 'createManagement: unknown option "helth"'. Reads the
documentation in this package; requests nothing. The exit code is 0, or 1 if no page has any of the words.
`

export const docsHelp = `Usage: upkeep docs [page]

Lists the pages of the documentation of this version, or prints one, or a section, as Markdown: upkeep docs health,
upkeep docs 'guides/health#options-of-health'.
The exit code is 0, or 2 if there is no such page.
`
