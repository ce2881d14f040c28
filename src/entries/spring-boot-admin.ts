export {
  type AdminCredential,
  type AdminCredentialOptions,
  createAdminCredential,
} from '../spring-boot-admin/credential.ts'
export { type Registration, registerAtSpringBootAdmin } from '../spring-boot-admin/register.ts'
export type { RegisteredApplication, RegistrationOptions } from '../spring-boot-admin/registration-options.ts'
