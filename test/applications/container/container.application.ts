import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtTarball } from '../../support/package/packed.ts'

const namespaces = ['--mount', '--pid', '--fork', '--net', '--uts']
// A container runtime would need the same privileges; `.ci/run` has them.
const isPermitted = spawnSync('unshare', [...namespaces, 'true']).status === 0
const isRequired = process.env['UPKEEP_REQUIRE_SERVERS'] === '1'

it.skipIf(!isPermitted && !isRequired)(
  'a container that has Node, npm and the tarball, and no network, serves what the contract asks for',
  () => {
    const script = (name: string) => join(import.meta.dirname, name)
    const command = [...namespaces, 'bash', script('enter.sh'), builtTarball, script('newcomer.sh')]
    const { stdout, stderr, status } = spawnSync('unshare', command, { encoding: 'utf8', timeout: 240_000 })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const [installed, contract, service, page] = stdout.trim().split('\n').filter(Boolean)
    expect(installed).toMatch(/^added 1 package in /)
    expect(contract).toMatch(/^\d{3} held, 0 broken, \d+ skipped$/)
    expect(service).toMatch(/^0 found, /)
    expect(page).toMatch(/^# /)
  },
)
