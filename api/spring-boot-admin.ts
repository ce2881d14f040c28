// upkeep/spring-boot-admin: 2 values, 5 types. Written by `npm run api`; do not edit.

/** @stable */
export interface AdminCredential {
    readonly username: string;
    readonly password: string;
    readonly authorize: Authorize;
}

/** @stable */
export interface AdminCredentialOptions {
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly permission?: 'read' | 'read-write' | undefined;
    readonly roles?: readonly string[] | undefined;
    readonly otherwise?: Authorize | undefined;
}

/** @stable */
export interface RegisteredApplication {
    readonly application?: {
        readonly name: string;
    } | undefined;
    readonly paths?: Readonly<Record<string, string>> | undefined;
    readonly draining?: AbortSignal | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export interface Registration {
    readonly name: 'spring-boot-admin';
    readonly run: () => Promise<void>;
    readonly timeout: Duration;
    close(): Promise<void>;
}

/** @stable */
export interface RegistrationOptions {
    readonly url: string | readonly string[];
    readonly managementUrl: string;
    readonly healthUrl?: string | undefined;
    readonly serviceUrl?: string | undefined;
    readonly name?: string | undefined;
    readonly tags?: Readonly<Record<string, string>> | undefined;
    readonly metadata?: Readonly<Record<string, string>> | undefined;
    readonly credential?: AdminCredential | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly registerOnce?: boolean | undefined;
    readonly period?: Duration | undefined;
    readonly timeout?: Duration | undefined;
    readonly report?: Report | undefined;
}

/** @stable */
export function createAdminCredential(options?: AdminCredentialOptions): AdminCredential;

/** @stable */
export function registerAtSpringBootAdmin(application: RegisteredApplication, options: RegistrationOptions): Registration;
