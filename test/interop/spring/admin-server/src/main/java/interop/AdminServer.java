package interop;

import de.codecentric.boot.admin.server.config.EnableAdminServer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@EnableAdminServer
@SpringBootApplication
public class AdminServer {
  public static void main(String[] arguments) {
    SpringApplication.run(AdminServer.class, arguments);
  }
}
