/** Where the sources listen: two Hubs, one of which sends other bytes than it promises, a web server with TLS, and who asked what. */
export const PORTS = { hub: 9000, damagedHub: 9001, web: 9443, requests: 9002 } as const;
