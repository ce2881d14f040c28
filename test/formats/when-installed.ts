/**
 * Whether a test can run that needs a program of Debian's. Says how to install what is missing; where everything has to
 * be there (`UPKEEP_REQUIRE_SERVERS=1`), the test runs and fails.
 */
export function whenInstalled(what: string, debianPackage: string, installed: boolean): boolean {
  if (installed || process.env['UPKEEP_REQUIRE_SERVERS'] === '1') return true
  console.warn(`Skipped: ${what} is not installed. To run these tests: apt-get install -y ${debianPackage}`)
  return false
}
