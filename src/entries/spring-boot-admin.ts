export {
  type AdminCredential,
  type AdminCredentialOptions,
  createAdminCredential,
} from '../spring-boot-admin/credential.ts'
export type { RegisteredApplication, RegistrationOptions } from '../spring-boot-admin/options.ts'
export { type Registration, registerAtSpringBootAdmin } from '../spring-boot-admin/register.ts'
