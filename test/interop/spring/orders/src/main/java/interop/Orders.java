package interop;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.web.exchanges.HttpExchangeRepository;
import org.springframework.boot.actuate.web.exchanges.InMemoryHttpExchangeRepository;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service with the actuator, to compare answers with. */
@EnableCaching
@EnableScheduling
@SpringBootApplication
public class Orders {
  public static void main(String[] arguments) {
    var application = new SpringApplication(Orders.class);
    application.setApplicationStartup(new BufferingApplicationStartup(2048));
    application.run(arguments);
  }

  @Bean
  HttpExchangeRepository exchanges() {
    return new InMemoryHttpExchangeRepository();
  }

  @Bean
  CacheManager cacheManager() {
    var manager = new CaffeineCacheManager("cities", "countries");
    manager.setCaffeine(Caffeine.newBuilder().maximumSize(100).recordStats());
    return manager;
  }

  @Bean
  HealthIndicator stock() {
    return () -> Health.up().withDetail("items", 3).build();
  }

  @Bean
  Object placed(MeterRegistry meters) {
    meters.counter("orders.placed", "channel", "web").increment(6);
    return "placed";
  }

  @Scheduled(cron = "0 0 3 * * *")
  void nightly() {}

  @Scheduled(fixedRate = 2000, initialDelay = 1000)
  void rate() {}

  @Scheduled(fixedDelay = 3000)
  void delay() {}

  @RestController
  static class Web {
    @GetMapping("/orders/{id}")
    Map<String, Object> read(@PathVariable String id) {
      return Map.of("id", id);
    }
  }
}
